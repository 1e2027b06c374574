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

  /// Ends every task as cancelled. The session is of no use afterwards. A session that wraps another one passes the
  /// call on.
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
  /// Whether the process ends if the session is asked for a task once it is invalidated.
  package var trapsOnceInvalidated: Bool { self is URLSession }

  /// `nil`
  public var cacheScope: String? { nil }

  /// Does nothing.
  public func invalidateAndCancel() {}

  /// Makes a transfer with the data task that every session has. The response arrives as a whole.
  ///
  /// - Parameters:
  ///   - request: the request to send. A ``TransportRequest/receiver`` gets the body as one piece.
  ///   - completion: called once, on the thread where the session calls its completion handler. If Foundation can't
  ///     describe the request or send it over this session, the completion gets an error before this method returns.
  public func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    guard request.body.isLoaded else {
      return loadingTask(with: request, sendsFiles: self is URLSession, completion: completion)
    }
    do throws(TransportError) {
      // `configuration` is a copy, which only Apple's background sessions are worth.
      if Platform.foundation == .apple, let session = self as? URLSession,
        let error = TransportError.backgroundSession(session.configuration.identifier)
      {
        throw error
      }
      let end: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { data, response, error in
        completion(request.result(data, response as? HTTPURLResponse, error).delivered(to: request))
      }
      let task: any URLSessionTaskProtocol
      if let file = request.body.loadedFile, let session = self as? URLSession {
        task = session.uploadTask(with: try URLRequest(request), fromFile: file.url, completionHandler: end)
      } else {
        task = dataTask(with: try URLRequest(request), completionHandler: end)
      }
      // On Linux Foundation asks no delegate of a task with a completion handler.
      if Platform.foundation == .apple { (task as? URLSessionTask)?.delegate = RedirectKeeper.shared }
      return task
    } catch {
      completion(.failure(error))
      return FinishedTask()
    }
  }

  /// A task that reads the request's body, which may wait for the caller's thread, and sends the request with the
  /// bytes, or with a file if the session sends files.
  package func loadingTask(
    with request: TransportRequest, sendsFiles: Bool = false, completion: @escaping HeldTask.Completion
  ) -> HeldTask {
    HeldTask(completion) { task in
      let loader = BodyLoader(sendsFiles: sendsFiles)
      guard task.wait(endedBy: { loader.endWait() }) else { return }
      loader.load(request) { loaded in
        switch loaded {
        case .success(let request): task.send(request, to: self)
        case .failure(let error): task.finish(.failure(error))
        }
      }
    }
  }
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

  /// Withdraws a task of any session; `nil` if the task doesn't know whether its request was sent.
  package func withdrawIfUnsent() -> UnsentReason? { (self as? any WithdrawableTask)?.withdraw() }
}

/// Passes calls on to a task of any type. `dataTask(with:completionHandler:)` has to name the type of its task.
package struct WrappedTask: URLSessionTaskProtocol {
  private let task: any URLSessionTaskProtocol

  package init(_ task: any URLSessionTaskProtocol) { self.task = task }

  package func resume() { task.resume() }

  package func cancel() { task.cancel() }
}

/// Makes a caller's session return a redirect, because the engine decides whether to follow it.
private final class RedirectKeeper: NSObject, URLSessionTaskDelegate, Sendable {
  static let shared = RedirectKeeper()

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}

extension TransportRequest {
  /// The result of the values that a session passed to its completion handler.
  package func result(
    _ data: Data?, _ response: HTTPURLResponse?, _ error: (any Error)?
  ) -> Result<WebServiceResponse, TransportError> {
    // A file that was cut during the upload is the cause of Foundation's error.
    let error = body.loadedFile?.failure ?? error
    let whole = response.map { WebServiceResponse($0, method: method, url: $0.url ?? url, body: data ?? Data()) }
    return error.map { .failure(TransportError(sessionError: $0, response: whole)) } ?? result(whole)
  }

  /// The result of a response that a session delivers as a whole, whose progress is reported here; an error for a
  /// response that isn't one of HTTP.
  package func result(_ response: WebServiceResponse?) -> Result<WebServiceResponse, TransportError> {
    guard let response else { return .failure(.sent(.notHTTPResponse, "the session delivered no HTTP response")) }
    guard response.headers.count <= WebServiceResponse.fieldLimit else {
      return .failure(.sent(.tooLarge, WebServiceResponse.tooManyFields))
    }
    let sent = body.data.map { Int64($0.count) } ?? body.loadedFile?.length
    let received = Int64(response.body.count)
    onProgress?(Progress(sent: sent ?? 0, expectedToSend: sent, received: received, expectedToReceive: received))
    return .success(response)
  }
}

extension Result<WebServiceResponse, TransportError> {
  /// Hands the body of a whole response to the request's receiver, or holds it to the request's limit.
  package func delivered(to request: TransportRequest) -> Self {
    guard case .success(var response) = self else { return self }
    let body = response.body
    if let receiver = request.receiver {
      response.body = Data()
      receiver.didReceive(head: response)
      if !body.isEmpty { receiver.didReceive(body) {} }
      return .success(response)
    }
    guard body.count > request.responseLimit else { return self }
    response.body = Data(body.prefix(max(0, request.responseLimit)))
    return .failure(.tooLarge(limit: request.responseLimit, response: response))
  }
}

extension URLSession: URLSessionProtocol {}

extension URLSessionDataTask: URLSessionTaskProtocol {}

extension URLSessionConfiguration {
  /// A configuration for calling REST services: nothing is cached, no cookie is kept or sent, and a host may have 64
  /// connections instead of 6.
  public static var webServices: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.keepNothing()
    configuration.httpMaximumConnectionsPerHost = 64
    return configuration
  }

  /// Switches off the cache, and cookies.
  package func keepNothing() {
    // On Linux a cache is never consulted, costs a tenth of the time, and makes a late cancel crash.
    urlCache = nil
    requestCachePolicy = .reloadIgnoringLocalCacheData
    // On Linux only this switches cookies off: `httpShouldHandleCookies` of a request is ignored.
    httpCookieStorage = nil
    httpShouldSetCookies = false
    httpCookieAcceptPolicy = .never
  }
}
