/// Secret values, which are hidden wherever they occur. They are read from their requests when the first text is
/// searched, because most failures are never described, and never on the thread that drives a transport.
final class SecretValues: Sendable {
  private struct State: Sendable {
    /// `nil` once it was called, so that the requests aren't kept for the values.
    var make: (@Sendable () -> [[UInt8]])?
    var values: Set<[UInt8]> = []
    /// `nil` if the values are too long to be searched.
    var matcher: ValueMatcher?
  }

  /// Guards the values and their matcher, which any thread may make.
  private let state: Locked<State>

  /// The fewest bytes of a value that is hidden. Hiding shorter values would hide half of a text.
  static let shortest = 4
  /// The most bytes of all values together.
  static let limit = 256 * 1024

  /// - Parameter values: called once, when the first text is searched.
  init(_ values: @escaping @Sendable () -> [[UInt8]]) { state = Locked(State(make: values)) }

  var all: Set<[UInt8]> { read().values }

  /// Finds the values in a text; `nil` if they are too long to be searched.
  var matcher: ValueMatcher? { read().matcher }

  private func read() -> State {
    state.withLock { state in
      guard let make = state.make.take() else { return state }
      state.values = Set(make().filter { $0.count >= Self.shortest })
      let length = state.values.reduce(0) { $0 + $1.count }
      if length <= Self.limit { state.matcher = ValueMatcher(state.values) }
      return state
    }
  }
}

extension SecretValues: Hashable {
  static func == (left: SecretValues, right: SecretValues) -> Bool { left.all == right.all }

  func hash(into hasher: inout Hasher) { hasher.combine(all) }
}
