/// Keeps the transfers that no caller waits for, such as the refresh of a cached response. They end with the service,
/// or with the user that they belong to.
package final class BackgroundTransfers: Sendable {
  private struct Entry {
    let task: HeldTask
    let identity: RunRegistry.Identity
  }

  private struct State {
    var isOpen = true
    /// The identity after the last sign-out. Transfers of an earlier identity are over.
    var identity = RunRegistry.Identity.first
    var lastNumber = 0
    var entries: [Int: Entry] = [:]

    func isOver(_ identity: RunRegistry.Identity) -> Bool { identity != .none && identity < self.identity }
  }

  /// Guards the transfers. Tasks are made, started, cancelled and released after unlocking.
  private let state = Locked(State())

  /// Starts a transfer. The transfer is cancelled at once if the service is closed or the user has signed out.
  ///
  /// - Parameters:
  ///   - identity: the user of the request that needs the transfer.
  ///   - makeTask: makes the task. The task calls the closure that it receives once it has ended.
  package func start(for identity: RunRegistry.Identity, _ makeTask: (@escaping @Sendable () -> Void) -> HeldTask) {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    // The task isn't started yet, so it can't end before its entry is there.
    let task = makeTask { [self] in remove(number) }
    let isAdmitted = state.withLock { state in
      guard state.isOpen, !state.isOver(identity) else { return false }
      state.entries[number] = Entry(task: task, identity: identity)
      return true
    }
    isAdmitted ? task.resume() : task.cancel()
  }

  private func remove(_ number: Int) {
    let entry = state.withLock { $0.entries.removeValue(forKey: number) }
    // The task is released here, outside the lock.
    _ = entry
  }

  /// Cancels the transfers of earlier identities, and starts no more of their transfers.
  func cancelAll(before identity: RunRegistry.Identity) {
    cancel { state in
      state.identity = max(state.identity, identity)
      return state.entries.filter { state.isOver($0.value.identity) }
    }
  }

  /// Cancels every transfer, and starts none any more.
  func close() {
    cancel { state in
      state.isOpen = false
      return state.entries
    }
  }

  private func cancel(_ find: (inout State) -> [Int: Entry]) {
    let entries = state.withLock { state in
      let entries = find(&state)
      for number in entries.keys { state.entries[number] = nil }
      return entries
    }
    for entry in entries.sorted(by: { $0.key < $1.key }) { entry.value.task.cancel() }
  }
}
