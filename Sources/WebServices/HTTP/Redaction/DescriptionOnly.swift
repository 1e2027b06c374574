/// Makes printing, reflecting and dumping a value with secrets show only its `description`, which contains no secret.
package protocol DescriptionOnly: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension DescriptionOnly {
  /// Equal to `description`.
  public var debugDescription: String { description }
  /// A mirror with the description alone.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A value that hides secrets in its description with a redaction of its own. A `WebServiceError` gives its parts its
/// own redaction, which knows the app's names and the secrets of the request.
package protocol OwnRedaction {
  var redaction: DescriptionRedaction { get set }
}

/// The redaction of a value's description. It doesn't count when values are compared.
package struct DescriptionRedaction: Hashable, Sendable {
  // A reference, because most values are never described.
  private var boxed: Boxed<Redaction>?

  package init(_ redaction: Redaction? = nil) { boxed = redaction.map(Boxed.init) }

  package var value: Redaction { boxed?.value ?? .standard }

  package static func == (left: DescriptionRedaction, right: DescriptionRedaction) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
