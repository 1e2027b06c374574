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
/// A file is sent from its place. If the file changes meanwhile, the request fails, possibly after the server has had
/// the whole body. A stream is read before it is sent. From 1 MiB on it goes into a temporary file, which no other user
/// of the system can read. A `GET` with a body is refused.
///
/// On Linux this session is a fallback. Each request has a `URLSession` and a connection of its own, because Foundation
/// may send a request twice over a used connection. A response waits in memory for a slow receiver. The article
/// <doc:RunningOnLinux> says what else differs.
public final class FoundationSession: URLSessionProtocol, Sendable {
  /// Foundation retains the delegate of a `URLSession`, so it can't be this object, whose release ends the session.
  let delegate: FoundationDelegate

  /// Creates a session; nothing is opened before the first request.
  ///
  /// - Parameter configuration: its headers are added to every request that has none of their names. Its
  ///   `timeoutIntervalForRequest` is the idle timeout of requests without one. Its `timeoutIntervalForResource`,
  ///   caches, cookies and stored credentials are left out.
  public convenience init(configuration: URLSessionConfiguration = .webServices) {
    self.init(settings: FoundationSettings(configuration))
  }

  /// Creates a session; nothing is opened before the first request.
  ///
  /// - Throws: the first setting that can't be used, or that Foundation can't keep on this system.
  public convenience init(configuration: TransportConfiguration) throws(TransportConfiguration.InvalidSetting) {
    self.init(settings: try FoundationSettings(configuration))
  }

  init(settings: FoundationSettings) { delegate = FoundationDelegate(settings) }

  deinit {
    // A task that hasn't ended keeps its session, so there is nothing to cancel. Foundation would keep its delegate.
    delegate.retire()
  }

  /// Prepares one transfer; nothing is sent before the task is resumed. The completion is called once, on a thread of
  /// the session.
  public func transferTask(
    with request: TransportRequest, completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol { FoundationTransfer(request, session: self, completion: completion) }

  /// Prepares a `URLRequest`; nothing is sent before the task is resumed. The handler is called once, on a
  /// concurrent dispatch queue. An error is a `URLError` with the ``TransportError`` as its underlying error.
  public func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> some URLSessionTaskProtocol {
    foundationTask(with: request, completionHandler: completionHandler)
  }

  /// The client certificate of the configuration, for a cache.
  public var cacheScope: String? { delegate.settings.cacheScope }

  /// Ends every task as cancelled. Later requests fail with `.invalidated`. To let the tasks end first, release the
  /// session.
  public func invalidateAndCancel() { delegate.invalidate() }
}

extension URLSessionProtocol {
  /// Prepares a `URLRequest` as a transfer. The handler runs on a concurrent queue. Its error is a `URLError` with the
  /// `TransportError` underneath, and comes with the received part of the response.
  func foundationTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> WrappedTask {
    let task = transferTask(with: TransportRequest(request)) { result in
      // An app's handler may block, and a thread of the transport must not.
      DispatchQueue.global().async {
        switch result {
        case .success(let response): completionHandler(response.body, response.foundation, nil)
        case .failure(let error):
          completionHandler(error.response?.body, error.response?.foundation, error.foundation)
        }
      }
    }
    return WrappedTask(task)
  }
}
