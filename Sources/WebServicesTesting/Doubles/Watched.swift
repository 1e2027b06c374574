package import Foundation
import WebServicesCore

/// The queue of timeouts. A serial queue gets a thread even when waiting tests block all threads of the concurrent
/// queues.
private let timeouts = DispatchQueue(label: "WebServicesTesting.Watched")

/// A value behind a lock, on which a test can wait with `wait(until:)`. Waiting needs no polling, because each
/// `withLock` checks the conditions of the waiting tests.
package final class Watched<Value: Sendable>: Sendable {
  /// A test that waits for a condition.
  private struct Waiter: Sendable {
    var condition: @Sendable (Value) -> Bool
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State: Sendable {
    var value: Value
    var lastNumber = 0
    var waiters: [Int: Waiter] = [:]
  }

  /// Guards value and waiters.
  private let state: Locked<State>

  package init(_ value: Value) {
    state = Locked(State(value: value))
  }

  /// Runs the body with the lock held, then resumes the waiters whose condition became true. Conditions run with the
  /// lock held, waiters are resumed without it.
  package func withLock<Output>(_ body: (inout Value) -> Output) -> Output {
    let (output, ready) = state.withLock { state in
      let output = body(&state.value)
      guard !state.waiters.isEmpty else { return (output, [Int: Waiter]()) }
      let value = state.value
      let ready = state.waiters.filter { $0.value.condition(value) }
      for number in ready.keys { state.waiters[number] = nil }
      return (output, ready)
    }
    ready.values.forEach { $0.continuation.resume(returning: true) }
    return output
  }

  /// Waits until the condition is true, or the Swift task is cancelled, as by the time limit of a test. A condition
  /// runs once after each change.
  ///
  /// - Parameter timeout: the longest wait in seconds, at most a day; `nil` waits without a limit.
  /// - Returns: `false` if the timeout passes or the task is cancelled first.
  @discardableResult
  package func wait(timeout: TimeInterval? = nil, until condition: @escaping @Sendable (Value) -> Bool) async -> Bool {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isMet: Bool? = state.withLock { state in
          if condition(state.value) { return true }
          // The handler below takes only a waiter that is there.
          if Task.isCancelled { return false }
          state.waiters[number] = Waiter(condition: condition, continuation: continuation)
          return nil
        }
        if let isMet { return continuation.resume(returning: isMet) }
        guard let timeout else { return }
        // Dispatch can't schedule an infinite time.
        timeouts.asyncAfter(deadline: .now() + min(timeout, 86_400)) { [weak self] in self?.giveUp(number) }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func giveUp(_ number: Int) {
    state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: false)
  }
}
