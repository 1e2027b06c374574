import WebServicesCore

/// The requests, connections and refusals that the server has seen. A lock of `ServerCore` guards them, because the
/// server's thread adds records while tests read them.
struct Records: Sendable {
  /// The most requests, and the most refusals, to keep. Later requests are only counted.
  let limit: Int
  private(set) var requests: [LoopbackServer.Request] = []
  private(set) var requestCount = 0
  private(set) var connectionsAccepted = 0
  var openConnections = 0
  private(set) var refusals: [String] = []
  /// Whether the server has stopped, so that nothing changes any more.
  var isClosed = false

  init(limit: Int) { self.limit = limit }

  /// Records a request and returns its number.
  mutating func add(_ request: LoopbackServer.Request) -> Int {
    requestCount += 1
    guard requests.count < limit else { return requestCount }
    requests.append(request)
    requests[requestCount - 1].order = requestCount
    return requestCount
  }

  /// Replaces a request that was recorded before its body arrived.
  mutating func complete(_ request: LoopbackServer.Request) {
    // A request beyond the limit was counted and not kept.
    guard requests.indices.contains(request.order - 1) else { return }
    requests[request.order - 1] = request
  }

  mutating func addRefusal(_ reason: String) {
    if refusals.count < limit { refusals.append(reason) }
  }

  /// Counts a connection and returns its number.
  mutating func connectionOpened() -> Int {
    connectionsAccepted += 1
    openConnections += 1
    return connectionsAccepted
  }
}
