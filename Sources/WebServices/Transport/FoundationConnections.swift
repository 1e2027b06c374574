import Foundation

/// The `URLSession`s of a `FoundationSession`. One is shared. Each transfer that must not use a kept connection gets
/// its own, and the number of these per host is limited. Call `open` for a transfer, and `retire` at the end.
final class FoundationConnections: Sendable {
  /// The transfers to one host that need their own `URLSession`.
  private struct Host {
    /// How many of the transfers have a session.
    var ownCount = 0
    /// The transfers that wait for a session, in their order.
    var waiting: [@Sendable () -> Void] = []
  }

  private struct State {
    /// The session that transfers share; `nil` after `retire()`.
    var shared: DelegatedURLSession?
    var hosts: [String: Host] = [:]
  }

  /// For completions that must not run on a caller's or a timer's thread.
  let hops = DispatchQueue(label: "FoundationSession.hops")
  /// For calls of Foundation. On Linux they wait for a queue that all sessions of the process share.
  let calls = DispatchQueue(label: "FoundationSession.calls")
  private let settings: FoundationSettings
  private let queue: OperationQueue
  /// Guards the shared session and the counts of hosts. Handlers are called outside of it.
  private let state: Locked<State>

  /// How many transfers to a host may have their own session at a time.
  var limitPerHost: Int { settings.connectionsPerHost }

  init(_ settings: FoundationSettings) {
    self.settings = settings
    queue = FoundationQueue()
    state = Locked(State(shared: DelegatedURLSession(settings, queue: queue, calls: calls)))
  }

  /// Calls the handler with a session to use, or with `nil` if this session is over. The call comes at once, or once a
  /// connection is free.
  ///
  /// - Parameter host: the host whose connections count; `nil` if the request doesn't need its own connection.
  func open(ownFor host: String?, _ handler: @escaping @Sendable (DelegatedURLSession?) -> Void) {
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

  /// Ends the shared session after its last task. A transfer's own session ends after its task.
  func retire() {
    let shared = state.withLock { state in
      defer { state.shared = nil }
      return state.shared
    }
    shared?.retire()
  }

  private func openOwn(for host: String, _ handler: @Sendable (DelegatedURLSession?) -> Void) {
    handler(DelegatedURLSession(settings, queue: queue, calls: calls) { [self] in closeOwn(for: host) })
  }

  private func closeOwn(for host: String) {
    let next = state.withLock { state -> (@Sendable () -> Void)? in
      guard var entry = state.hosts[host] else { return nil }
      defer { state.hosts[host] = entry.ownCount > 0 ? entry : nil }
      // The next transfer inherits the place, so that the count stays.
      guard entry.waiting.isEmpty else { return entry.waiting.removeFirst() }
      entry.ownCount -= 1
      return nil
    }
    next?()
  }
}

/// The queue on which Foundation reports the events of all transfers, one after the other. A serial queue always gets a
/// thread, but the global queues have few threads. If all of these were blocked, a fast response would pile up in
/// memory, and nothing could end its transfer.
///
/// `@unchecked Sendable` because its only state is a queue that never changes.
private final class FoundationQueue: OperationQueue, @unchecked Sendable {
  // The base class doesn't retain its `underlyingQueue`.
  private let events = DispatchQueue(label: "FoundationSession.events")

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
    underlyingQueue = events
  }
}
