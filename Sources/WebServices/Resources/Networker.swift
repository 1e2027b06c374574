public import Dispatch

/// Requests the URL of an ``Endpoint`` and parses the response. Make one networker for an app, then call
/// ``load(_:on:)`` for each endpoint.
///
/// ```swift
/// let networker = Networker()
/// networker.load(try Photo.single(by: 5, with: baseURL)) { result in
///   guard let photo = result.value else { return print("Something went wrong!") }
///   print(photo)
/// }
/// ```
public struct Networker: Sendable {
  private let accessor: ResourceAccessor

  /// Creates a networker over a service.
  ///
  /// - Parameter service: sends every request. The networker retains it.
  public init(service: any JsonWebServiceable) {
    // An endpoint has a whole URL, so the environment needs no backend.
    accessor = ResourceAccessor(service: service, environment: BackendEnvironment("networker", [:]))
  }

  /// Creates a networker with its own service.
  ///
  /// - Parameters:
  ///   - session: the session that sends, such as a `MockURLSession` in tests; `nil` makes a session that ends with
  ///     this networker.
  ///   - configuration: the settings of all requests.
  public init(
    session: (any URLSessionProtocol)? = nil, configuration: WebServiceConfiguration = WebServiceConfiguration()
  ) {
    // By default the service would attach itself to the shared manager, which belongs to another service.
    self.init(service: JsonWebService(session: session, tokenManager: BasicAuthManager(), configuration: configuration))
  }

  /// Loads an endpoint and passes its value to the completion on the main queue.
  ///
  /// - Parameters:
  ///   - endpoint: the endpoint to load.
  ///   - completion: runs exactly once, never inside this call. If `parse` fails, the error has the kind
  ///     `.undecodableBody`, with the failure of `parse` underneath.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func load<Value>(
    _ endpoint: Endpoint<Value>, completion: @escaping @MainActor (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask { accessor.access(endpoint.resource, completion: completion) }

  /// Loads an endpoint and passes its value to the completion on your queue.
  ///
  /// - Parameters:
  ///   - endpoint: the endpoint to load.
  ///   - callbackQueue: the queue for the completion.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func load<Value>(
    _ endpoint: Endpoint<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask { accessor.access(endpoint.resource, callbackQueue: callbackQueue, completion: completion) }

  /// Loads an endpoint and returns its value. Cancelling the Swift task cancels the request.
  ///
  /// - Parameters:
  ///   - endpoint: the endpoint to load.
  ///   - actor: the caller's actor. You don't pass it.
  /// - Throws: a ``WebServiceError``; of kind `.undecodableBody` if the endpoint's `parse` fails.
  public func load<Value>(
    _ endpoint: Endpoint<Value>, on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> Value { try await accessor.access(endpoint.resource, on: actor) }
}

extension Result where Failure == WebServiceError {
  /// The value of a success; `nil` for a failure.
  public var value: Success? { try? get() }

  /// The error of a failure; `nil` for a success.
  public var error: WebServiceError? { if case .failure(let error) = self { error } else { nil } }
}
