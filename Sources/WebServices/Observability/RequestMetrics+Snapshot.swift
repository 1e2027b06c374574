extension RequestMetrics {
  /// The counts of a ``RequestMetrics`` at a moment.
  public struct Snapshot: Hashable, Sendable {
    /// The counts of one host.
    public struct Host: Hashable, Sendable {
      /// The durations from call to result of requests that weren't cancelled.
      public var requests = Latencies()
      /// Each transfer as the transport measured it; empty with a transport that doesn't measure.
      public var transfers = Latencies()
      /// Requests that failed.
      public var failures: UInt64 = 0
    }

    /// The name under which the hosts beyond the limit are counted, and requests without a host.
    public static let otherHosts = "other"

    /// Requests that ended with a success.
    public var successes: UInt64 = 0
    /// Requests that failed, by the error's kind (`timedOut`, `statusCode(404)`).
    public var failures: [String: UInt64] = [:]
    /// Requests that were cancelled.
    public var cancellations: UInt64 = 0
    /// The transfers that began, repeated and redirected ones included. A cache's transfers in the background aren't
    /// counted, nor are their bytes.
    public var transfers: UInt64 = 0
    /// Attempts after the first, renewals of a token not counted.
    public var retries: UInt64 = 0
    /// Attempts after a token was refused.
    public var renewals: UInt64 = 0
    /// Redirects that were followed.
    public var redirects: UInt64 = 0
    /// Fresh responses from the cache, each in place of a transfer. A request that follows a stored redirect may have
    /// several.
    public var cacheHits: UInt64 = 0
    /// Stale responses from the cache.
    public var staleCacheHits: UInt64 = 0
    /// Responses from the cache that the server has confirmed.
    public var cacheRevalidations: UInt64 = 0
    /// How often a request shared the transfer of an equal one, in each of its attempts and redirects.
    public var coalesced: UInt64 = 0
    /// Transfers over a new connection, as far as the transport measures.
    public var connectionsOpened: UInt64 = 0
    /// Transfers over a connection that was used before, as far as the transport measures.
    public var connectionsReused: UInt64 = 0
    /// Bytes of content that were sent, as far as the transport measures.
    public var bytesSent: Int64 = 0
    /// Bytes of content that were received.
    public var bytesReceived: Int64 = 0
    /// The counts of each host, by its name and port.
    public var hosts: [String: Host] = [:]

    /// Requests that failed with an error of any kind.
    public var failureCount: UInt64 { failures.values.reduce(0, &+) }

    /// Requests that ended.
    public var requests: UInt64 { successes &+ failureCount &+ cancellations }

    /// Counts an event.
    mutating func count(_ event: RequestEvent, hostLimit: Int) {
      let host = event.url.authority
      switch event.kind {
      case .sessionChosen, .described, .waiting, .authorized, .decoded: break
      case .sent: transfers += 1
      case .redirected: redirects += 1
      case .retried(_, .unauthorized): renewals += 1
      case .retried: retries += 1
      case .coalesced: coalesced += 1
      case .cached(.hit): cacheHits += 1
      case .cached(.stale): staleCacheHits += 1
      case .cached(.revalidated): cacheRevalidations += 1
      // A session without measurements still tells the size of the body.
      case .received(_, let bytes, nil): bytesReceived &+= max(0, bytes)
      case .received(_, _, let metrics?):
        bytesReceived &+= max(0, metrics.bytesReceived)
        bytesSent &+= max(0, metrics.bytesSent)
        if metrics.isReusedConnection { connectionsReused += 1 } else { connectionsOpened += 1 }
        update(host, limit: hostLimit) { $0.transfers.record(metrics.total) }
      case .delivered(.success):
        successes += 1
        update(host, limit: hostLimit) { $0.requests.record(event.elapsed) }
      case .delivered(.failure(let error)):
        // A status has three digits, so no server can make any number of kinds.
        failures["\(error.kind)", default: 0] += 1
        update(host, limit: hostLimit) { host in
          host.requests.record(event.elapsed)
          host.failures += 1
        }
      case .delivered(.cancelled): cancellations += 1
      }
    }

    /// Changes the counts of a host in place, so that no histogram is copied.
    private mutating func update(_ host: String, limit: Int, _ change: (inout Host) -> Void) {
      let named = hosts.count - (hosts.index(forKey: Self.otherHosts) == nil ? 0 : 1)
      let isNamed = !host.isEmpty && (named < limit || hosts.index(forKey: host) != nil)
      change(&hosts[isNamed ? host : Self.otherHosts, default: Host()])
    }
  }
}
