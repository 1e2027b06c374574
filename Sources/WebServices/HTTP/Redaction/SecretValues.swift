/// Secret values, which are hidden wherever they occur. They are read from their requests when the first text is
/// searched, because most failures are never described, and never on the thread that drives a transport.
final class SecretValues: Sendable, Hashable {
  /// Makes the values, and finds them. The closure is `nil` once it was called, so that the requests aren't kept for
  /// the values. Any thread may call it, so a lock guards both.
  private let state: Locked<(make: (@Sendable () -> [[UInt8]])?, matcher: ValueMatcher?)>

  /// The fewest bytes of a value that is hidden. Hiding shorter values would hide half of a text.
  static let shortest = 4
  /// The most bytes of all values together.
  static let limit = 256 * 1024

  /// - Parameter values: called once, when the first text is searched.
  init(_ values: @escaping @Sendable () -> [[UInt8]]) { state = Locked((values, nil)) }

  /// Finds the values in a text; `nil` if they are too long to be searched.
  var matcher: ValueMatcher? {
    state.withLock { state in
      guard let make = state.make.take() else { return state.matcher }
      let values = Set(make().filter { $0.count >= Self.shortest })
      if values.reduce(0, { $0 + $1.count }) <= Self.limit { state.matcher = ValueMatcher(values) }
      return state.matcher
    }
  }

  /// The values of other requests are others, even if they are equal.
  static func == (left: SecretValues, right: SecretValues) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
