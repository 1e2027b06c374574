public import Foundation
public import WebServices

// What a test can look at and wait for.
extension LoopbackServer {
  /// The requests that have come whole, in their order, whatever answered them.
  public var requests: [Request] { core.records.read(\.requests) }

  /// How many requests have come, those beyond `Limits.recordedRequests` included.
  public var requestCount: Int { core.records.read(\.requestCount) }

  /// How many connections are open.
  public var openConnections: Int { core.records.read(\.openConnections) }

  /// How many connections were taken since the start.
  public var connectionsAccepted: Int { core.records.read(\.connectionsAccepted) }

  /// Why the server refused what was no request by the standard, in order: empty where every client behaved.
  public var refusals: [String] { core.records.read(\.refusals) }

  /// The requests of the method and the path, which is compared as it was sent. `nil` stands for any.
  public func requests(_ method: HTTPMethod?, _ path: String? = nil) -> [Request] {
    Self.select(requests, method, path)
  }

  /// Waits until so many requests have come whole, and returns all that have; fewer where the time was over first
  /// or the server was stopped.
  @discardableResult
  public func waitForRequests(
    _ method: HTTPMethod? = nil, _ path: String? = nil, count: Int = 1, timeout: TimeInterval = 10
  ) async -> [Request] {
    _ = await core.records.observers.wait(
      timeout: timeout, until: hasRequests(method, path, count: count))
    return requests(method, path)
  }

  /// Calls back on a queue of the server's, which must not be blocked, when so many requests have come whole, with
  /// all that have; with fewer where the time was over first or the server was stopped.
  public func whenRequests(
    _ method: HTTPMethod? = nil, _ path: String? = nil, count: Int = 1, timeout: TimeInterval = 10,
    perform action: @escaping @Sendable ([Request]) -> Void
  ) {
    let isMet = hasRequests(method, path, count: count)
    core.records.observers.observe(timeout: timeout, until: isMet) { [records = core.records] _ in
      action(records.read { Self.select($0.requests, method, path) })
    }
  }

  /// Waits until just so many connections are open; `false` where the time was over first.
  @discardableResult
  public func waitForOpenConnections(count: Int, timeout: TimeInterval = 10) async -> Bool {
    let records = core.records
    return await records.observers.wait(timeout: timeout) { records.read { $0.openConnections == count } }
  }

  private func hasRequests(_ method: HTTPMethod?, _ path: String?, count: Int) -> @Sendable () -> Bool {
    let records = core.records
    guard method != nil || path != nil else { return { records.read { $0.requestCount >= count } } }
    // Only what is new is looked at: looking at thousands of requests for each of thousands would take minutes.
    let seen = Locked((requests: 0, fitting: 0))
    return {
      records.read { state in
        seen.withLock { seen in
          seen.fitting += Self.select(state.requests[seen.requests...], method, path).count
          seen.requests = state.requests.count
          return seen.fitting >= count
        }
      }
    }
  }

  private static func select(
    _ requests: some Sequence<Request>, _ method: HTTPMethod?, _ path: String?
  ) -> [Request] {
    requests.filter { (method == nil || $0.method == method) && (path == nil || $0.path == path) }
  }
}
