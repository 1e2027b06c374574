public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The transport over Foundation's `URLSession`: the default on Apple's systems, and on Linux without libcurl.
///
/// The session follows no redirect, answers no challenge, keeps no cookie and caches nothing, because the engine
/// decides about these. You may call its methods from any thread. The session measures timeouts to the millisecond.
/// Foundation doesn't report when a connection is made, so `connect` only adds to the time that `idle` allows until the
/// first sign of a response.
///
/// A body from a stream or a file is read into memory before it is sent. A `GET` with a body is refused. On Linux:
/// - A response waits in memory for a slow receiver.
/// - Every request uses its own connection. Over a used connection Foundation may send a request twice or without its
///   body, or take earlier bytes of the server for the response.
/// - Hosts that are IPv6 addresses are refused, and there are few timings.
/// - Foundation's time for a head grows with the square of the number of its fields. The session fails a head with more
///   than 1,000 fields only after that. ``CurlSession`` stops at that field.
///
/// The article <doc:RunningOnLinux> says what differs on Linux.
public final class FoundationSession: URLSessionProtocol, Sendable {
  private struct State {
    var isInvalidated = false
    var transfers: [ObjectIdentifier: FoundationTransfer] = [:]
  }

  let connections: FoundationConnections
  private let settings: FoundationSettings
  /// Guards the transfers that were resumed, and whether more may be.
  private let state = Locked(State())

  /// Creates a session; nothing is opened before the first request.
  ///
  /// - Parameter configuration: its headers are added to every request that has none of their names, and its timeouts
  ///   are those of requests without any. Caches, cookies and stored credentials are left out.
  public convenience init(configuration: URLSessionConfiguration = .webServices) {
    self.init(FoundationSettings(configuration))
  }

  /// Creates a session; nothing is opened before the first request.
  ///
  /// - Throws: the first setting that can't be used, or that Foundation can't keep on this system.
  public convenience init(configuration: TransportConfiguration) throws(TransportConfigurationError) {
    self.init(try FoundationSettings(configuration))
  }

  private init(_ settings: FoundationSettings) {
    self.settings = settings
    connections = FoundationConnections(settings)
  }

  deinit {
    // A task that hasn't ended keeps its session, so there is nothing to cancel. Foundation would keep its delegate.
    connections.retire()
  }

  /// Prepares one transfer; nothing is sent before the task is resumed. The completion is called once, on a thread of
  /// the session.
  public func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    makeTask(request, completion: completion)
  }

  /// Prepares a `URLRequest`; nothing is sent before the task is resumed. The handler is called once, on a
  /// concurrent dispatch queue. An error is a `URLError` with the ``TransportError`` as its underlying error.
  public func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> some URLSessionTaskProtocol {
    foundationTask(with: request, completionHandler: completionHandler) { makeTask($0, completion: $1) }
  }

  /// Ends every task as cancelled. Later requests fail with `.invalidated`.
  public func invalidateAndCancel() {
    let transfers = state.withLock { state in
      state.isInvalidated = true
      return Array(state.transfers.values)
    }
    transfers.forEach { $0.cancel() }
    connections.retire()
  }

  /// Lets the tasks that have been resumed end. Later requests fail with `.invalidated`.
  public func finishTasksAndInvalidate() {
    let isIdle = state.withLock { state in
      state.isInvalidated = true
      return state.transfers.isEmpty
    }
    if isIdle { connections.retire() }
  }

  private func makeTask(
    _ request: TransportRequest, completion: @escaping FoundationTransfer.Completion
  ) -> FoundationTransfer {
    let plan = Result { () throws(TransportError) in try FoundationRequestPlan(request, settings: settings) }
    return FoundationTransfer(request, plan: plan, session: self, completion: completion)
  }

  /// Registers a transfer; `false` if the session has been invalidated.
  func register(_ transfer: FoundationTransfer) -> Bool {
    state.withLock { state in
      guard !state.isInvalidated else { return false }
      state.transfers[ObjectIdentifier(transfer)] = transfer
      return true
    }
  }

  /// Removes a transfer that has ended. The last one of an invalidated session ends the connections.
  func unregister(_ transfer: FoundationTransfer) {
    let isOver = state.withLock { state in
      state.transfers[ObjectIdentifier(transfer)] = nil
      return state.isInvalidated && state.transfers.isEmpty
    }
    if isOver { connections.retire() }
  }
}
