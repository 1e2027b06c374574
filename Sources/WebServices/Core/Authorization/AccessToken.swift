/// A token that a token manager provides for a request. Its generation tells it from earlier and later tokens of the
/// manager.
public struct AccessToken: Hashable, Sendable, DescriptionOnly {
  /// The text that is sent.
  public let value: String
  /// Grows with every token of a manager, so that a late response can be matched with the token of its request.
  public let generation: Int

  /// Creates a token. Each parameter sets the property of the same name.
  public init(value: String, generation: Int = 0) {
    self.value = value
    self.generation = generation
  }

  /// The generation, without the token.
  public var description: String { "AccessToken(generation: \(generation))" }
}
