public import Foundation
public import WebServicesCore

// Observations for tests.
extension LoopbackServer {
  /// All requests in their order, whichever route they matched. A request is recorded when it is complete, or when its
  /// response begins before its body; the body then comes later.
  public var requests: [Request] { core.records.withLock { $0.requests } }

  /// The number of requests, including those beyond ``Limits/recordedRequests``.
  public var requestCount: Int { core.records.withLock { $0.requestCount } }

  /// The number of open connections.
  public var openConnections: Int { core.records.withLock { $0.openConnections } }

  /// The number of accepted connections since the start.
  public var connectionsAccepted: Int { core.records.withLock { $0.connectionsAccepted } }

  /// The reasons for which the server rejected invalid requests, in order, up to ``Limits/recordedRequests``. Empty if
  /// every client behaved.
  public var refusals: [String] { core.records.withLock { $0.refusals } }

  /// The recorded requests of a method and a path, in their order.
  ///
  /// - Parameters:
  ///   - method: the method; `nil` selects every method.
  ///   - path: the path as it was sent, without a query; `nil` selects every path.
  public func requests(_ method: HTTPMethod?, _ path: String? = nil) -> [Request] {
    Self.select(requests, method, path)
  }

  /// Waits for recorded requests of a method and a path.
  ///
  /// - Parameters:
  ///   - method: the method; `nil` counts every method.
  ///   - path: the path as it was sent, without a query; `nil` counts every path.
  ///   - count: the number of requests since the server was started.
  ///   - timeout: the longest wait, in seconds. More than a day counts as a day.
  /// - Returns: all such requests; fewer than `count` if the timeout passes or the server stops.
  @discardableResult
  public func waitForRequests(
    _ method: HTTPMethod? = nil, _ path: String? = nil, count: Int = 1, timeout: TimeInterval = 30
  ) async -> [Request] {
    _ = await core.records.wait(timeout: timeout, until: hasRequests(method, path, count: count))
    return requests(method, path)
  }

  /// Waits until exactly this many connections are open.
  ///
  /// - Parameters:
  ///   - count: the number of connections.
  ///   - timeout: the longest wait, in seconds. More than a day counts as a day.
  /// - Returns: `false` if the timeout passes or the server stops first.
  @discardableResult
  public func waitForOpenConnections(count: Int, timeout: TimeInterval = 30) async -> Bool {
    let isOver = await core.records.wait(timeout: timeout) { $0.isClosed || $0.openConnections == count }
    return isOver && core.records.withLock { !$0.isClosed || $0.openConnections == count }
  }

  /// The condition that this many requests of a method and a path are recorded.
  private func hasRequests(_ method: HTTPMethod?, _ path: String?, count: Int) -> @Sendable (Records) -> Bool {
    guard method != nil || path != nil else { return { $0.isClosed || $0.requestCount >= count } }
    // Only new requests are compared. Comparing thousands of requests again for each new one would take minutes.
    let seen = Locked((requests: 0, fitting: 0))
    return { state in
      seen.withLock { seen in
        seen.fitting += Self.select(state.requests[seen.requests...], method, path).count
        seen.requests = state.requests.count
        return state.isClosed || seen.fitting >= count
      }
    }
  }

  private static func select(
    _ requests: some Sequence<Request>, _ method: HTTPMethod?, _ path: String?
  ) -> [Request] {
    requests.filter { (method == nil || $0.method == method) && (path == nil || $0.path == path) }
  }
}
