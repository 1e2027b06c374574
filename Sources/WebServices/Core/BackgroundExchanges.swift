/// The exchanges that no caller waits for: they end with the service, or with the user whose they are.
final class BackgroundExchanges: Sendable {
  private struct Entry {
    let task: any URLSessionTaskProtocol
    let identity: RunRegistry.Identity
  }

  private struct State {
    var isOpen = true
    /// That of the last sign-out: what belongs to an earlier one is over.
    var identity = RunRegistry.Identity.first
    var lastNumber = 0
    var entries: [Int: Entry] = [:]

    func isOver(_ identity: RunRegistry.Identity) -> Bool { identity != .none && identity < self.identity }
  }

  private let state = Locked(State())

  /// A number to be added and removed with.
  func makeNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Keeps a task until it has ended. To be called before it is resumed.
  ///
  /// - Returns: whether it may be resumed: the service is open, and nobody has signed out since the request began that
  ///   the task is for.
  func add(_ task: any URLSessionTaskProtocol, number: Int, identity: RunRegistry.Identity) -> Bool {
    state.withLock { state in
      guard state.isOpen, !state.isOver(identity) else { return false }
      state.entries[number] = Entry(task: task, identity: identity)
      return true
    }
  }

  func remove(number: Int) {
    let entry = state.withLock { $0.entries.removeValue(forKey: number) }
    // What the task holds is released here, outside the lock.
    _ = entry
  }

  /// Cancels what belongs to an earlier identity, and takes no more of it.
  func cancelAll(before identity: RunRegistry.Identity) {
    let entries = state.withLock { state in
      state.identity = max(state.identity, identity)
      let over = state.entries.filter { state.isOver($0.value.identity) }
      for number in over.keys { state.entries[number] = nil }
      return over
    }
    cancel(entries)
  }

  /// Cancels everything, and takes no more.
  func close() {
    let entries = state.withLock { state in
      state.isOpen = false
      defer { state.entries = [:] }
      return state.entries
    }
    cancel(entries)
  }

  private func cancel(_ entries: [Int: Entry]) {
    for entry in entries.sorted(by: { $0.key < $1.key }) { entry.value.task.cancel() }
  }
}
