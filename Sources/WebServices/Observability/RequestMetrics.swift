/// A monitor that counts requests, retries, failures, cache uses and bytes, and measures how long each host takes. Call
/// ``snapshot()`` at any time, from any thread. An event costs one lock and a few additions.
///
/// The article <doc:SeeingWhatHappens> has samples.
public final class RequestMetrics: RequestMonitor {
  private let hostLimit: Int
  /// Guards all counts. Each event takes the lock once.
  private let state = Locked(Snapshot())

  /// Creates counters with the value zero.
  ///
  /// - Parameter hostLimit: the number of hosts with their own counters, which take 8 KB each. All other hosts are
  ///   counted together.
  public init(hostLimit: Int = 32) { self.hostLimit = max(0, hostLimit) }

  /// The counts so far.
  public func snapshot() -> RequestMetrics.Snapshot { state.withLock { $0 } }

  /// Returns the counts and resets them to zero, so that each event is in the result of exactly one reset.
  @discardableResult
  public func reset() -> RequestMetrics.Snapshot {
    state.withLock { state in
      defer { state = Snapshot() }
      return state
    }
  }

  /// Counts the event.
  public func record(_ event: RequestEvent) { state.withLock { $0.count(event, hostLimit: hostLimit) } }
}

extension RequestMetrics.Snapshot {
  fileprivate mutating func count(_ event: RequestEvent, hostLimit: Int) {
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
}
