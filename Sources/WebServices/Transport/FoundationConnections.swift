import Foundation

/// The lanes of a `FoundationSession`: one that most exchanges share, and new ones for those that must not meet a used
/// connection, of which there are only so many at a time.
final class FoundationConnections: Sendable {
  private struct State {
    var shared: FoundationLane?
    var ownCount = 0
    var waiting: [@Sendable () -> Void] = []
  }

  /// For completions that must not run on a caller's thread or a timer's.
  let hops = DispatchQueue(label: "FoundationSession.hops")
  /// For calls of Foundation, which on Linux wait for its one queue in the process.
  let calls = DispatchQueue(label: "FoundationSession.calls")
  private let settings: FoundationSettings
  private let queue: OperationQueue
  private let state: Locked<State>

  init(_ settings: FoundationSettings) {
    self.settings = settings
    queue = FoundationQueue()
    state = Locked(State(shared: FoundationLane(settings, queue: queue)))
  }

  /// Calls the handler with a lane to use, or `nil` where the session is over: at once, or once one is free.
  func open(needsOwn: Bool, _ handler: @escaping @Sendable (FoundationLane?) -> Void) {
    guard needsOwn else { return handler(state.withLock { $0.shared }) }
    let isFree = state.withLock { state in
      guard state.ownCount < settings.connectionsPerHost else {
        state.waiting.append { self.openOwn(handler) }
        return false
      }
      state.ownCount += 1
      return true
    }
    if isFree { openOwn(handler) }
  }

  /// Ends every lane once what runs on it has ended.
  func retire() {
    let shared = state.withLock { state in
      defer { state.shared = nil }
      return state.shared
    }
    shared?.retire()
  }

  private func openOwn(_ handler: @Sendable (FoundationLane?) -> Void) {
    let lane = FoundationLane(settings, queue: queue, isForOne: true) { [self] in closeOwn() }
    handler(lane)
  }

  private func closeOwn() {
    let next = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.ownCount -= 1
      return nil
    }
    next?()
  }
}
