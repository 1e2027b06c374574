/// Runs an action on a cancel, even if the cancel came before the action was set. `awaited` cancels a request with it,
/// and `BodyLoader` interrupts a read with it.
package final class TaskCancellation: Sendable {
  private typealias State = (action: (@Sendable () -> Void)?, isCancelled: Bool)

  /// Guards the action, which runs after unlocking.
  private let state = Locked<State>((nil, false))

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Sets the action of a cancellation. It runs at once after `cancel()`.
  package func set(_ action: @escaping @Sendable () -> Void) {
    let former = state.withLock { $0.isCancelled ? $0 : exchange(&$0, with: (action, false)) }
    if former.isCancelled { action() }
  }

  package func cancel() { state.withLock { exchange(&$0, with: (nil, true)) }.action?() }
}
