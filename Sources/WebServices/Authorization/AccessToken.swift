/// A token and which one it is: the first since sign-in, or one of those that renewals brought.
public struct AccessToken: Hashable, Sendable {
  /// What is sent.
  public let value: String
  /// Counts up with every token that a manager gets, so that a late answer can be matched with the token it was for.
  public let generation: Int

  /// Creates a token.
  public init(value: String, generation: Int = 0) {
    self.value = value
    self.generation = generation
  }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The generation, without the token.
  public var description: String { "AccessToken(generation: \(generation))" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// The generation, without the token.
  public var customMirror: Mirror { Mirror(self, children: ["generation": generation]) }
}
