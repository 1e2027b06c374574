import Foundation
import WebServices

/// Waits for conditions without polling. Call `check()` after every change of a condition. A waiting test is then
/// resumed.
final class Observers: Sendable {
  /// A condition, and the callback of the test that waits for the condition.
  private struct Observer {
    let isMet: @Sendable () -> Bool
    let completion: @Sendable (Bool) -> Void
  }

  private struct State {
    var last = 0
    var observers: [Int: Observer] = [:]
    var isClosed = false
  }

  /// A serial queue gets a thread even when waiting tests block all threads of the concurrent queues.
  private static let queue = DispatchQueue(label: "LoopbackServer.observers")
  /// Guards the observers. Conditions are called without the lock, because they take locks of their own.
  private let state = Locked(State())

  /// Calls back once on a serial queue: with `true` when the condition is met, with `false` after the timeout or after
  /// `close()`.
  func observe(
    timeout: TimeInterval, until isMet: @escaping @Sendable () -> Bool,
    completion: @escaping @Sendable (Bool) -> Void
  ) {
    let id = state.withLock { state in
      state.last += 1
      state.observers[state.last] = Observer(isMet: isMet, completion: completion)
      return state.last
    }
    check()
    // A day is the longest timeout: Dispatch can't schedule an infinite one.
    let seconds = timeout.isFinite ? min(max(timeout, 0), 86_400) : 86_400
    Self.queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.remove(id)?.completion(false)
    }
  }

  /// Waits for the condition in async code.
  func wait(timeout: TimeInterval, until isMet: @escaping @Sendable () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      observe(timeout: timeout, until: isMet) { continuation.resume(returning: $0) }
    }
  }

  /// Tests all conditions and notifies the observers whose condition is met.
  func check() {
    let (waiting, isClosed) = state.withLock { ($0.observers, $0.isClosed) }
    for (id, observer) in waiting {
      let isMet = observer.isMet()
      // `remove` succeeds once, so that two threads that check at the same time call back once.
      guard isMet || isClosed, let observer = remove(id) else { continue }
      Self.queue.async { observer.completion(isMet) }
    }
  }

  /// Notifies all remaining observers with `false`, because nothing changes any more.
  func close() {
    state.withLock { $0.isClosed = true }
    check()
  }

  private func remove(_ id: Int) -> Observer? {
    state.withLock { $0.observers.removeValue(forKey: id) }
  }
}
