import Synchronization

/// Counts the connections with requests other than for the statistics.
final class ConnectionCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func increment() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
