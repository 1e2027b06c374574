/// A monitor that counts requests, retries, failures, cache uses and bytes, and measures how long each host takes. Call
/// ``snapshot()`` at any time, from any thread. An event costs one lock and a few additions.
///
/// The article <doc:SeeingWhatHappens> has samples.
public final class RequestMetrics: RequestMonitor {
  private struct State: Sendable {
    var counts = RequestMetrics.Snapshot()
    /// By kind. Recording an event makes no text of the kind.
    var failures: [WebServiceError.Kind: UInt64] = [:]
    var hosts: [String: Snapshot.Host] = [:]
    /// The counts of requests without a host, and of hosts beyond the limit.
    var others = Snapshot.Host()

    /// The counts with the names of failures and hosts. Call it without the lock, because it makes a text of each kind.
    func snapshot() -> Snapshot {
      var snapshot = counts
      for (kind, count) in failures { snapshot.failures[kind.name, default: 0] += count }
      snapshot.hosts = hosts
      if others != .init() { snapshot.hosts[Snapshot.otherHosts] = others }
      return snapshot
    }

    /// Changes the counts of a host in place, so that no histogram is copied.
    mutating func update(_ host: String, limit: Int, _ change: (inout Snapshot.Host) -> Void) {
      let isNamed = !host.isEmpty && (hosts.count < limit || hosts.index(forKey: host) != nil)
      if isNamed { change(&hosts[host, default: .init()]) } else { change(&others) }
    }
  }

  /// The most kinds of failures. A server may send any status code, and each would take memory for ever.
  private static let failureKindLimit = 128

  private let hostLimit: Int
  /// Guards all counts. Each event takes the lock once.
  private let state = Locked(State())

  /// Creates counters with the value zero.
  ///
  /// - Parameter hostLimit: the number of hosts with their own counters, which take 8 KB each. All other hosts are
  ///   counted together.
  public init(hostLimit: Int = 32) {
    self.hostLimit = max(0, hostLimit)
  }

  /// The counts so far.
  public func snapshot() -> RequestMetrics.Snapshot {
    state.withLock { $0 }.snapshot()
  }

  /// Returns the counts and resets them to zero, so that each event is in the result of exactly one reset.
  @discardableResult
  public func reset() -> RequestMetrics.Snapshot {
    let last = state.withLock { state in
      defer { state = State() }
      return state
    }
    return last.snapshot()
  }

  /// Counts the event.
  public func record(_ event: RequestEvent) {
    switch event.kind {
    case .described, .waiting, .authorized, .decoded: break
    case .sent: state.withLock { $0.counts.transfers += 1 }
    case .redirected: state.withLock { $0.counts.redirects += 1 }
    case .retried(_, .unauthorized): state.withLock { $0.counts.renewals += 1 }
    case .retried: state.withLock { $0.counts.retries += 1 }
    case .coalesced: state.withLock { $0.counts.coalesced += 1 }
    case .cached(let use): state.withLock { $0.counts.count(use) }
    case .received(_, let bytes, let metrics): count(bytes: bytes, metrics: metrics, of: event)
    case .delivered(let outcome): count(outcome, of: event)
    }
  }

  private func count(bytes: Int64, metrics: WebServiceResponse.Metrics?, of event: RequestEvent) {
    // A session without measurements still tells the size of the body.
    guard let metrics else { return state.withLock { $0.counts.bytesReceived &+= max(0, bytes) } }
    let host = event.url.authority
    state.withLock { state in
      state.counts.bytesReceived &+= max(0, metrics.bytesReceived)
      state.counts.bytesSent &+= max(0, metrics.bytesSent)
      if metrics.isReusedConnection {
        state.counts.connectionsReused += 1
      } else {
        state.counts.connectionsOpened += 1
      }
      state.update(host, limit: hostLimit) { $0.transfers.record(metrics.total) }
    }
  }

  private func count(_ outcome: RequestEvent.Outcome, of event: RequestEvent) {
    let name = event.url.authority
    state.withLock { state in
      switch outcome {
      case .success:
        state.counts.successes += 1
        state.update(name, limit: hostLimit) { $0.requests.record(event.elapsed) }
      case .failure(let error):
        let isKnown = state.failures[error.kind] != nil || state.failures.count < Self.failureKindLimit
        state.failures[isKnown ? error.kind : .unexpected, default: 0] += 1
        state.update(name, limit: hostLimit) { host in
          host.requests.record(event.elapsed)
          host.failures += 1
        }
      case .cancelled:
        state.counts.cancellations += 1
      }
    }
  }
}

extension WebServiceError.Kind {
  /// The kind as a key: `statusCode(404)`.
  fileprivate var name: String { "\(self)" }
}
