import Synchronization

/// How many connections the server has seen that asked for something besides its statistics.
final class ConnectionCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func increment() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
