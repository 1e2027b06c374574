import Foundation
import WebServicesCore

/// The requests, connections and refusals that the server has seen. A test reads the records, or waits for a condition.
/// The lock guards all records, because the server's thread adds them while tests read them.
final class Records: Sendable {
  struct State: Sendable {
    var requests: [LoopbackServer.Request] = []
    var requestCount = 0
    var connectionsAccepted = 0
    var openConnections = 0
    var refusals: [String] = []
    /// Whether the server has stopped, so that nothing changes any more.
    var isClosed = false
  }

  private let state = Watched(State())
  /// The most requests, and the most refusals, to keep. Later requests are only counted.
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  func read<Value>(_ body: (State) -> Value) -> Value {
    state.withLock { body($0) }
  }

  /// Waits until the condition is true, the timeout passes or the server stops. Returns `false` after the timeout.
  func wait(timeout: TimeInterval, until condition: @escaping @Sendable (State) -> Bool) async -> Bool {
    await state.wait(timeout: timeout) { $0.isClosed || condition($0) }
  }

  /// Ends all waits, because the server has stopped.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Records a request and returns its number.
  func add(_ request: LoopbackServer.Request) -> Int {
    state.withLock { state in
      state.requestCount += 1
      guard state.requests.count < limit else { return state.requestCount }
      var request = request
      request.order = state.requestCount
      state.requests.append(request)
      return state.requestCount
    }
  }

  /// Replaces a request that was recorded before its body arrived.
  func complete(_ request: LoopbackServer.Request) {
    state.withLock { state in
      // A request beyond the limit was counted and not kept.
      guard state.requests.indices.contains(request.order - 1) else { return }
      state.requests[request.order - 1] = request
    }
  }

  func addRefusal(_ reason: String) {
    state.withLock { if $0.refusals.count < limit { $0.refusals.append(reason) } }
  }

  /// Counts a connection and returns its number.
  func connectionOpened() -> Int {
    state.withLock { state in
      state.connectionsAccepted += 1
      state.openConnections += 1
      return state.connectionsAccepted
    }
  }

  func connectionClosed() {
    state.withLock { $0.openConnections -= 1 }
  }
}
