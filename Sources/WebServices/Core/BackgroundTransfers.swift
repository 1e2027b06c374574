/// Keeps the transfers that no caller waits for, such as the refresh of a cached response. They end with the service,
/// or with the user that they belong to.
package final class BackgroundTransfers: Sendable {
  private struct State {
    var lastNumber = 0
    var entries: [Int: (task: HeldTask, identity: RunRegistry.Identity)] = [:]
  }

  /// Says whether the service is open, and for which user.
  private let registry: RunRegistry
  /// Guards the transfers. Tasks are made, started, cancelled and released after unlocking.
  private let state = Locked(State())

  init(_ registry: RunRegistry) { self.registry = registry }

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
    state.withLock { $0.entries[number] = (task, identity) }
    // Asked last: `cancelEnded` after this question finds the entry.
    registry.admits(identity) ? task.resume() : task.cancel()
  }

  private func remove(_ number: Int) {
    let entry = state.withLock { $0.entries.removeValue(forKey: number) }
    // The task is released here, outside the lock.
    _ = entry
  }

  /// Cancels the transfers that the registry admits no more, after a sign-out or a shutdown.
  func cancelEnded() {
    for (_, entry) in state.withLock({ $0.entries }).sorted(by: { $0.key < $1.key })
    where !registry.admits(entry.identity) {
      entry.task.cancel()
    }
  }
}
