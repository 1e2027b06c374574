/// One of the backends that an app speaks to, by name. Which URL that is, an environment says.
///
/// ```swift
/// extension Backend {
///   static let core = Backend("core")
/// }
/// ```
public struct Backend: Hashable, Sendable {
  /// The name, as errors tell it.
  public let name: String

  /// Creates a backend; two with the same name are the same.
  public init(_ name: String) {
    self.name = name
  }
}
