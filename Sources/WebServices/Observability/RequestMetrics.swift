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
  public init(hostLimit: Int = 32) { self.hostLimit = hostLimit }

  /// The counts so far.
  public func snapshot() -> RequestMetrics.Snapshot { state.withLock { $0 } }

  /// Returns the counts and resets them to zero, so that each event is in the result of exactly one reset.
  @discardableResult
  public func reset() -> RequestMetrics.Snapshot { state.withLock { exchange(&$0, with: Snapshot()) } }

  /// Counts the event.
  public func record(_ event: RequestEvent) { state.withLock { $0.count(event, hostLimit: hostLimit) } }
}
