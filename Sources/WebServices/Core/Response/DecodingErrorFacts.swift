import Foundation

/// The facts of a `DecodingError`, in a form that doesn't depend on which Foundation made it.
struct DecodingErrorFacts: Sendable {
  var path: [any CodingKey]
  /// The expected type in words, such as `a string`.
  var expected: String?
  var explanation: String
  /// Whether a key is missing in the value at the path.
  var isAboutKey = false
  /// A value can't be used, or the document is broken.
  var isAboutContent = false

  fileprivate init(_ context: DecodingError.Context, expected: String?) {
    path = context.codingPath
    self.expected = expected
    explanation = context.debugDescription
  }
}

extension DecodingError {
  var facts: DecodingErrorFacts {
    switch self {
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return DecodingErrorFacts(context, expected: Self.words(for: type))
    case .keyNotFound(let key, let context):
      var facts = DecodingErrorFacts(context, expected: "the key \"\(key.stringValue.shortened(to: 64))\"")
      facts.isAboutKey = true
      return facts
    case .dataCorrupted(let context):
      var facts = DecodingErrorFacts(context, expected: nil)
      facts.isAboutContent = true
      return facts
    @unknown default:
      return DecodingErrorFacts(Context(codingPath: [], debugDescription: "\(self)"), expected: nil)
    }
  }

  /// The type's name in JSON. Foundation names a dictionary, or one of its containers, when it means an object.
  private static func words(for type: Any.Type) -> String {
    // Swift can't match a generic type with unknown parameters, so the names are compared.
    let name = String(describing: type)
    if name.hasPrefix("Dictionary<") || name.hasPrefix("KeyedDecodingContainer") { return "an object" }
    if name.hasPrefix("Array<") || name.hasPrefix("Set<") || name.hasPrefix("UnkeyedDecodingContainer") {
      return "an array"
    }
    return switch type {
    case is String.Type: "a string"
    case is Bool.Type: "a boolean"
    case is any BinaryInteger.Type: "a whole number (\(name))"
    case is Double.Type, is Float.Type, is Decimal.Type: "a number"
    default: "a value for \(name.shortened(to: 64))"
    }
  }
}
