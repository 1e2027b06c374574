/// The requests of a service that are on their way, until it takes no more.
final class RunRegistry: Sendable {
  typealias Slot = SlotTable<RequestRun>.Slot

  private struct State: Sendable {
    var isOpen = true
    var runs = SlotTable<RequestRun>()
  }

  private let state = Locked(State())

  /// - Returns: what the run is found with; `nil` where none is taken any more.
  func insert(_ run: RequestRun) -> Slot? {
    state.withLock { $0.isOpen ? $0.runs.insert(run) : nil }
  }

  func remove(_ slot: Slot) {
    let run = state.withLock { $0.runs.remove(slot) }
    // What it holds is released here, outside the lock.
    _ = run
  }

  subscript(slot: Slot) -> RequestRun? { state.withLock { $0.runs[slot] } }

  /// Whether runs are taken, and those that are taken may send.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Takes no more runs, and gives back those that there are.
  func close() -> [RequestRun] {
    state.withLock { state in
      defer { state = State(isOpen: false) }
      return state.runs.values
    }
  }

  var runs: [RequestRun] { state.withLock { $0.runs.values } }

  var count: Int { state.withLock { $0.runs.count } }
}
