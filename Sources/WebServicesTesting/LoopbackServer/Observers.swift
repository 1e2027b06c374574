import Foundation
import WebServices

/// Those who wait for something to come true, without polling: whoever changes it calls `check`.
final class Observers: Sendable {
  private struct Observer {
    let isMet: @Sendable () -> Bool
    let completion: @Sendable (Bool) -> Void
  }

  private struct State {
    var last = 0
    var observers: [Int: Observer] = [:]
    var isClosed = false
  }

  /// Serial: a serial queue gets a thread also where all of the concurrent queues' are blocked by waiting tests.
  private static let queue = DispatchQueue(label: "LoopbackServer.observers")
  private let state = Locked(State())

  /// Calls back once, on a serial queue: with `true` when the condition is met, with `false` when the time
  /// is over or nothing will change any more.
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
    let seconds = timeout.isFinite ? min(max(timeout, 0), 86_400) : 86_400
    Self.queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.take(id)?.completion(false)
    }
  }

  /// The same for async code.
  func wait(timeout: TimeInterval, until isMet: @escaping @Sendable () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      observe(timeout: timeout, until: isMet) { continuation.resume(returning: $0) }
    }
  }

  /// Looks whether somebody's condition is met.
  func check() {
    let (waiting, isClosed) = state.withLock { ($0.observers, $0.isClosed) }
    for (id, observer) in waiting {
      let isMet = observer.isMet()
      guard isMet || isClosed, let taken = take(id) else { continue }
      Self.queue.async { taken.completion(isMet) }
    }
  }

  /// Ends everybody's waiting: what isn't met by now never will be.
  func close() {
    state.withLock { $0.isClosed = true }
    check()
  }

  private func take(_ id: Int) -> Observer? {
    state.withLock { $0.observers.removeValue(forKey: id) }
  }
}
