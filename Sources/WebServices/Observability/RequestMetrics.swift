/// A monitor that counts requests, retries, failures, cache uses and bytes, and measures how long each host takes. Call
/// ``snapshot()`` at any time, from any thread. An event costs one lock and a few additions.
///
/// The article <doc:SeeingWhatHappens> has samples.
public final class RequestMetrics: RequestMonitor {
  /// The most kinds of failures. A server may send any status code, and each would take memory for ever.
  private static let failureKindLimit = 128

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
  public func record(_ event: RequestEvent) {
    switch event.kind {
    case .sessionChosen, .described, .waiting, .authorized, .decoded: break
    case .sent: state.withLock { $0.transfers += 1 }
    case .redirected: state.withLock { $0.redirects += 1 }
    case .retried(_, .unauthorized): state.withLock { $0.renewals += 1 }
    case .retried: state.withLock { $0.retries += 1 }
    case .coalesced: state.withLock { $0.coalesced += 1 }
    case .cached(.hit): state.withLock { $0.cacheHits += 1 }
    case .cached(.stale): state.withLock { $0.staleCacheHits += 1 }
    case .cached(.revalidated): state.withLock { $0.cacheRevalidations += 1 }
    case .received(_, let bytes, let metrics): count(bytes: bytes, metrics: metrics, of: event)
    case .delivered(let outcome): count(outcome, of: event)
    }
  }

  private func count(bytes: Int64, metrics: WebServiceResponse.Metrics?, of event: RequestEvent) {
    // A session without measurements still tells the size of the body.
    guard let metrics else { return state.withLock { $0.bytesReceived &+= max(0, bytes) } }
    let host = event.url.authority
    state.withLock { state in
      state.bytesReceived &+= max(0, metrics.bytesReceived)
      state.bytesSent &+= max(0, metrics.bytesSent)
      if metrics.isReusedConnection { state.connectionsReused += 1 } else { state.connectionsOpened += 1 }
      state.update(host, limit: hostLimit) { $0.transfers.record(metrics.total) }
    }
  }

  private func count(_ outcome: RequestEvent.Outcome, of event: RequestEvent) {
    let name = event.url.authority
    switch outcome {
    case .success:
      state.withLock { state in
        state.successes += 1
        state.update(name, limit: hostLimit) { $0.requests.record(event.elapsed) }
      }
    case .failure(let error):
      let (kind, other) = ("\(error.kind)", "\(WebServiceError.Kind.unexpected)")
      state.withLock { state in
        let isKnown = state.failures[kind] != nil || state.failures.count < Self.failureKindLimit
        state.failures[isKnown ? kind : other, default: 0] += 1
        state.update(name, limit: hostLimit) { host in
          host.requests.record(event.elapsed)
          host.failures += 1
        }
      }
    case .cancelled: state.withLock { $0.cancellations += 1 }
    }
  }
}
