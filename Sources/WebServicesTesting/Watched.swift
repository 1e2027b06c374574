import Foundation
import WebServices

/// A value behind a lock, on which a test can wait with `wait(until:)`. Waiting needs no polling, because each
/// `withLock` checks the conditions of the waiting tests.
package final class Watched<Value: Sendable>: Sendable {
  /// A test that waits for a condition.
  private struct Waiter: Sendable {
    var condition: @Sendable (Value) -> Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var value: Value
    var waiters: [Waiter] = []
  }

  /// Guards value and waiters.
  private let state: Locked<State>

  package init(_ value: Value) {
    state = Locked(State(value: value))
  }

  /// Runs the body with the lock held, then resumes the waiters whose condition became true. Conditions run with the
  /// lock held, waiters are resumed without it.
  package func withLock<Output>(_ body: (inout Value) throws -> Output) rethrows -> Output {
    let (output, ready) = try state.withLock { state in
      let output = try body(&state.value)
      guard !state.waiters.isEmpty else { return (output, [Waiter]()) }
      let value = state.value
      let ready = state.waiters.filter { $0.condition(value) }
      state.waiters.removeAll { $0.condition(value) }
      return (output, ready)
    }
    ready.forEach { $0.continuation.resume() }
    return output
  }

  /// Waits until the condition is true.
  package func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if condition(state.value) { return true }
        state.waiters.append(Waiter(condition: condition, continuation: continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }
}
