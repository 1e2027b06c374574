import Foundation

/// The lanes of a `FoundationSession`: one that transfers share, and new ones for transfers that must not meet a used
/// connection. The number of new lanes for a host at a time is limited.
final class FoundationConnections: Sendable {
  private struct Host {
    var ownCount = 0
    var waiting: [@Sendable () -> Void] = []
  }

  private struct State {
    var shared: FoundationLane?
    var hosts: [String: Host] = [:]
  }

  /// For completions that must not run on a caller's thread or a timer's.
  let hops = DispatchQueue(label: "FoundationSession.hops")
  /// For calls of Foundation, which on Linux wait for its one queue in the process.
  let calls = DispatchQueue(label: "FoundationSession.calls")
  private let settings: FoundationSettings
  private let queue: OperationQueue
  private let state: Locked<State>

  /// How many lanes of their own transfers may have at a time.
  var limitPerHost: Int { settings.connectionsPerHost }

  init(_ settings: FoundationSettings) {
    self.settings = settings
    queue = FoundationQueue()
    state = Locked(State(shared: FoundationLane(settings, queue: queue, calls: calls)))
  }

  /// Calls the handler with a session to use, or with `nil` if this session is over. The call comes at once, or once a
  /// connection is free.
  ///
  /// - Parameter host: the host whose connections count; `nil` if the request doesn't need its own connection.
  func open(ownFor host: String?, _ handler: @escaping @Sendable (FoundationLane?) -> Void) {
    guard let host else { return handler(state.withLock { $0.shared }) }
    let isFree = state.withLock { state in
      guard state.hosts[host, default: Host()].ownCount < settings.connectionsPerHost else {
        state.hosts[host]?.waiting.append { self.openOwn(for: host, handler) }
        return false
      }
      state.hosts[host, default: Host()].ownCount += 1
      return true
    }
    if isFree { openOwn(for: host, handler) }
  }

  /// Ends every lane once what runs on it has ended.
  func retire() {
    let shared = state.withLock { state in
      defer { state.shared = nil }
      return state.shared
    }
    shared?.retire()
  }

  private func openOwn(for host: String, _ handler: @Sendable (FoundationLane?) -> Void) {
    handler(FoundationLane(settings, queue: queue, calls: calls) { [self] in closeOwn(for: host) })
  }

  private func closeOwn(for host: String) {
    let next = state.withLock { state -> (@Sendable () -> Void)? in
      guard var entry = state.hosts[host] else { return nil }
      defer { state.hosts[host] = entry.ownCount > 0 ? entry : nil }
      guard entry.waiting.isEmpty else { return entry.waiting.removeFirst() }
      entry.ownCount -= 1
      return nil
    }
    next?()
  }
}

/// Where Foundation's events arrive: one after the other, on a thread that is always to be had. The threads of
/// the global queues are few: if they were blocked, a fast response would pile up in memory, and nothing could end it.
///
/// It has no state but a queue that never changes.
private final class FoundationQueue: OperationQueue, @unchecked Sendable {
  // The base class doesn't keep it.
  private let events = DispatchQueue(label: "FoundationSession.events")

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
    underlyingQueue = events
  }
}
