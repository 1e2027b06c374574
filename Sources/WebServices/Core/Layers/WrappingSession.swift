public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A session around another session, as a ``SessionLayer`` makes it. It implements `transferTask(with:completion:)` and
/// inherits the rest.
///
/// Ask the next session for a task when the request may go out. Resume that task at once, because layers further in may
/// hold a permit for it. Run the completion once, also for a task that is cancelled. The completion runs on a thread
/// that other requests wait for, so return from it at once.
public protocol WrappingSession: URLSessionProtocol {
  /// The session that requests are passed on to.
  var next: any URLSessionProtocol { get }
}

extension WrappingSession {
  package typealias Completion = HeldTask.Completion

  /// Passes a request of Foundation to the next session unchanged. The next session calls the handler on a thread of
  /// its own. A service sends only with `transferTask`.
  public func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> some URLSessionTaskProtocol {
    WrappedTask(next.dataTask(with: request, completionHandler: completionHandler))
  }

  /// Makes a task that ends with a result when it is resumed. The next session isn't asked.
  ///
  /// - Parameters:
  ///   - result: the outcome, such as a response of your own.
  ///   - completion: called once, on the thread that resumes the task. After a cancel before `resume()` it gets an
  ///     error of kind `.cancelled`, on the thread that cancels.
  public func finishedTask(
    with result: Result<WebServiceResponse, TransportError>,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol { HeldTask(completion) { $0.finish(result) } }

  /// The scope of the next session.
  public var cacheScope: String? { next.cacheScope }

  /// Invalidates the next session.
  public func invalidateAndCancel() { next.invalidateAndCancel() }
}
