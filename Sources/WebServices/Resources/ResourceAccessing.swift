public import Dispatch

/// Sends the requests of resources that require one kind of authorization, and returns the parsed responses. A call
/// with any other resource doesn't compile.
///
/// Inject ``Accessible`` or ``AuthenticatedAccessible``, which inherit from this protocol. A stub implements only the
/// first method, because all other methods call the first. The stub parses a prepared ``WebServiceResponse`` with the
/// resource's parser, and passes the value to the completion.
public protocol ResourceAccessing<Auth>: Sendable {
  /// The authorization that the resources demand.
  associatedtype Auth: BackendAuth

  /// Accesses a resource and passes its value to the completion.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - request: the value to send.
  ///   - callbackQueue: the queue for the completion.
  ///   - completion: runs exactly once, never inside this call. If the environment lacks the backend, the error has the
  ///     kind `.badURL`.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, WebServiceError>) -> Void
  ) -> WebServiceTask

  /// Accesses a resource and returns its value. Cancelling the Swift task cancels the request.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - request: the value to send.
  ///   - isolation: the caller's actor, which ``access(_:with:on:)`` passes. On this actor the service checks that the
  ///     user is still signed in.
  /// - Throws: a ``WebServiceError``, of kind `.badURL` if the environment lacks the backend.
  func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Response
}

extension ResourceAccessing {
  /// Accesses a resource and passes its value to the completion on the main queue.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - request: the value to send.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request,
    completion: @escaping @MainActor (Result<Response, WebServiceError>) -> Void
  ) -> WebServiceTask {
    access(resource, with: request, callbackQueue: .main, completion: MainQueue.form(of: completion))
  }

  /// Accesses a resource and returns its value. Cancelling the Swift task cancels the request.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - request: the value to send.
  ///   - actor: the caller's actor. You don't pass it.
  /// - Throws: a ``WebServiceError``, of kind `.badURL` if the environment lacks the backend.
  public func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request,
    on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> Response { try await access(resource, with: request, isolation: actor) }

  /// Accesses a resource and returns its value. This implementation calls the form with a completion.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - request: the value to send.
  ///   - isolation: the caller's actor, to which this method returns.
  /// - Throws: a ``WebServiceError``, of kind `.badURL` if the environment lacks the backend.
  public func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Response {
    try await awaited { completion in
      // The queue only resumes the Swift task, so any queue will do.
      access(resource, with: request, callbackQueue: .global(), completion: completion)
    }.get()
  }

  // MARK: Resources that are accessed without a value

  /// Accesses a resource and passes its value to the completion on your queue.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - callbackQueue: the queue for the completion.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func access<Response>(
    _ resource: BackendResource<Void, Response, Auth>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, WebServiceError>) -> Void
  ) -> WebServiceTask { access(resource, with: (), callbackQueue: callbackQueue, completion: completion) }

  /// Accesses a resource and passes its value to the completion on the main queue.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func access<Response>(
    _ resource: BackendResource<Void, Response, Auth>,
    completion: @escaping @MainActor (Result<Response, WebServiceError>) -> Void
  ) -> WebServiceTask { access(resource, with: (), completion: completion) }

  /// Accesses a resource and returns its value. Cancelling the Swift task cancels the request.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - actor: the caller's actor. You don't pass it.
  /// - Throws: a ``WebServiceError``, of kind `.badURL` if the environment lacks the backend.
  public func access<Response>(
    _ resource: BackendResource<Void, Response, Auth>, on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> Response { try await access(resource, with: (), isolation: actor) }
}

/// Sends the requests of resources that need no authorization. Inject `any Accessible` where such resources are needed.
public protocol Accessible: ResourceAccessing where Auth == NoAuth {}

/// Sends the requests of resources that require a certain authorization.
///
/// To inject an accessor, an app declares a protocol for its own authorization, which works on every system.
/// `any AuthenticatedAccessible<KongAuth>` needs newer systems in some places.
///
/// ```swift
/// protocol KongAccessible: AuthenticatedAccessible where Auth == KongAuth {}
/// extension AuthenticatedAccessor: KongAccessible where Auth == KongAuth {}
/// ```
public protocol AuthenticatedAccessible<Auth>: ResourceAccessing {}

/// A kind of authorization that resources require. Each kind is a type, so that code that accesses a resource with
/// another kind doesn't compile.
///
/// ```swift
/// enum KongAuth: BackendAuth {
///   static let authorization = WebServiceAuthorizationType.bearer
/// }
/// ```
public protocol BackendAuth: Sendable {
  /// The credentials that requests carry.
  static var authorization: WebServiceAuthorizationType { get }
}

/// No authorization: for resources that anybody may access.
public enum NoAuth: BackendAuth {
  /// `.none`
  public static var authorization: WebServiceAuthorizationType { .none }
}
