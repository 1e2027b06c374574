/// Secret values, which are hidden wherever they occur. They are read from their requests when the first text is
/// searched, because most failures are never described, and never on the thread that drives a transport.
final class SecretValues: Sendable {
  private enum State: Sendable {
    case unread(@Sendable () -> [String])
    /// The matcher is `nil` if the values are too long to be searched.
    case read(Set<String>, ValueMatcher?)
  }

  /// Guards the values and their matcher, which any thread may make.
  private let state: Locked<State>

  /// The fewest bytes of a value that is hidden. Hiding shorter values would hide half of a text.
  static let shortest = 4
  /// The most bytes of all values together.
  static let limit = 256 * 1024

  /// - Parameter values: called once, when the first text is searched.
  init(_ values: @escaping @Sendable () -> [String]) {
    state = Locked(.unread(values))
  }

  var all: Set<String> { read().values }

  /// Finds the values in a text; `nil` if they are too long to be searched.
  var matcher: ValueMatcher? { read().matcher }

  private func read() -> (values: Set<String>, matcher: ValueMatcher?) {
    state.withLock { state in
      switch state {
      case .read(let values, let matcher): return (values, matcher)
      case .unread(let make):
        let values = Set(make().filter { $0.utf8.count >= Self.shortest })
        let length = values.reduce(0) { $0 + $1.utf8.count }
        let matcher = length <= Self.limit ? ValueMatcher(values) : nil
        state = .read(values, matcher)
        return (values, matcher)
      }
    }
  }
}

extension SecretValues: Hashable {
  static func == (left: SecretValues, right: SecretValues) -> Bool { left.all == right.all }

  func hash(into hasher: inout Hasher) { hasher.combine(all) }
}
