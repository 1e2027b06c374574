import Dispatch

/// A monitor that writes each event as an entry with a constant message and fields. Secrets are hidden.
///
/// A log without a level writes nothing. Entries below the level cost a comparison.
///
/// ```swift
/// let log = RequestLog(level: .info) { print($0) }
/// ```
///
/// The article <doc:SeeingWhatHappens> has samples.
public final class RequestLog: RequestMonitor {
  /// How much an entry matters.
  public enum Level: Hashable, Sendable, Comparable, CaseIterable {
    /// Every station of a request.
    case debug
    /// A request that succeeded or was cancelled, a redirect, and the session that the library chose.
    case info
    /// A problem that the service can live with, but somebody should know of: a retry, an open circuit breaker.
    case notice
    /// A request that failed.
    case error
  }

  /// Guards the level, which any thread may change.
  private let currentLevel: Locked<Level?>
  private let sink: @Sendable (Entry) -> Void
  /// Keeps the entries in order.
  private let queue = DispatchQueue(label: "RequestLog")
  /// The log on whose queue the code runs.
  private static let log = DispatchSpecificKey<ObjectIdentifier>()

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - level: the lowest level that is written; `nil` writes nothing.
  ///   - sink: takes the entries one after the other, on any thread but the one that drives the transfers. The closure
  ///     has to return at once. Up to the level `.info`, it has all entries of a request before the request's
  ///     completion runs. Above it, the completion of a success waits for no entry.
  public init(level: Level? = nil, sink: @escaping @Sendable (Entry) -> Void) {
    currentLevel = Locked(level)
    self.sink = sink
    queue.setSpecific(key: Self.log, value: ObjectIdentifier(self))
  }

  /// The lowest level that is written; `nil` writes nothing. You may set the level at any time, from any thread.
  public var level: Level? {
    get { currentLevel.withLock { $0 } }
    set { currentLevel.withLock { $0 = newValue } }
  }

  /// Writes the event, unless its level is too low.
  public func record(_ event: RequestEvent) {
    guard let level, event.kind.level >= level else { return }
    // The more a server sends, the longer it takes to hide secrets in it. The thread of a transport must not wait for
    // that.
    guard case .delivered = event.kind else { return queue.enqueue { [sink] in sink(Entry(event)) } }
    // The completion runs next. A sink may send a request that this log writes.
    if DispatchQueue.getSpecific(key: Self.log) == ObjectIdentifier(self) { return sink(Entry(event)) }
    queue.enqueueAndWait { sink(Entry(event)) }
  }
}

extension RequestEvent.Kind {
  /// How much an event of this kind matters.
  public var level: RequestLog.Level {
    switch self {
    case .described, .authorized, .sent, .received, .decoded, .cached, .coalesced: .debug
    case .waiting(.breaker), .waiting(.connectivity), .retried, .sessionChosen(_, isFallback: true): .notice
    case .waiting: .debug
    case .sessionChosen, .redirected, .delivered(.success), .delivered(.cancelled): .info
    case .delivered(.failure): .error
    }
  }
}
