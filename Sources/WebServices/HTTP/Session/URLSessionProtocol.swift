public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The interface between the engine and the code that sends. A fake implements only the first method, and may
/// return a ``FinishedTask``.
///
/// `URLSession` conforms. A transport with more abilities than `URLSession` (bodies in pieces, progress, timings)
/// implements ``transferTask(with:completion:)`` too. For all others that method uses the first.
public protocol URLSessionProtocol: Sendable {
  /// The task that the session returns for a request.
  associatedtype DataTask: URLSessionTaskProtocol

  /// Prepares a request; nothing is sent before the task is resumed.
  ///
  /// - Parameters:
  ///   - request: the request, as Foundation describes one.
  ///   - completionHandler: called once, on any thread, also for a cancelled task.
  func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> DataTask

  /// Ends every task as cancelled. The session is of no use afterwards. A session that wraps another one passes the call
  /// on.
  func invalidateAndCancel()

  /// Tells the session from others that may get other responses to the same requests, because they connect with another
  /// client certificate or to another server. A cache gives a response only to sessions of its own scope. `nil`, the
  /// default, for a session with nothing special. A session that wraps another one passes it on.
  var cacheScope: String? { get }

  /// Prepares one transfer. Nothing is sent before the task is resumed.
  ///
  /// - Parameters:
  ///   - request: the request to send.
  ///   - completion: called once, on a thread of the transport, also for a cancelled task. It returns at once and runs
  ///     no code of a caller.
  func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol
}

extension URLSessionProtocol {
  /// `nil`
  public var cacheScope: String? { nil }

  /// Does nothing.
  public func invalidateAndCancel() {}
}

/// A request that a session has prepared. A fake whose responses come at once needs neither method: both do nothing
/// unless they are implemented.
public protocol URLSessionTaskProtocol: Sendable {
  /// Starts the request.
  func resume()
  /// Ends the request; its completion handler is called with an error.
  func cancel()
}

extension URLSessionTaskProtocol {
  /// Does nothing.
  public func resume() {}
  /// Does nothing.
  public func cancel() {}
}
