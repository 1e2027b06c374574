public import Foundation

/// A web service that your code takes as a parameter, so that you can test the code with a fake.
///
/// A fake implements only the first method. It passes the parser's value for a prepared ``WebServiceResponse`` to the
/// completion. All other methods use that one, those of streams, downloads and pages included.
///
/// A service around another service forwards both methods, with the request's options and the parser: see
/// <doc:DesigningServices>. The parser may be converted, but not replaced, because it carries what a stream, a download
/// and a page need of the service that sends.
public protocol JsonWebServiceable: AnyObject, Sendable {
  /// Sends a request and passes the parser's value to the completion.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - parser: makes the value of the response.
  ///   - callbackQueue: the queue for the completion.
  ///   - completion: runs exactly once, and never inside this call. If the queue runs on another thread, the completion
  ///     may begin before this call has returned.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask

  /// Sends a request and returns the parser's value. Cancelling the Swift task cancels the request.
  ///
  /// A service around another service forwards this form too: the inner service then checks on the caller's actor that
  /// the user is still signed in.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - parser: makes the value of the response.
  ///   - isolation: the caller's actor, which ``sendRequest(_:parser:on:)`` passes.
  /// - Throws: a ``WebServiceError``.
  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value
}

/// The methods that a fake doesn't have to implement.
extension JsonWebServiceable {
  /// Sends a request and returns the parser's value. Cancelling the Swift task cancels the request. This implementation
  /// calls the form with a completion, and passes a global queue as its callback queue.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - parser: makes the value of the response.
  ///   - isolation: the caller's actor, to which this method returns.
  /// - Throws: a ``WebServiceError``.
  public func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value {
    try await awaited { completion in
      sendRequest(requestData, parser: parser, callbackQueue: .global(), completion: completion)
    }.get()
  }

  // MARK: The shortest forms: JSON models

  /// Sends a request and passes the decoded model to the completion on the main queue. The response is decoded away
  /// from the main queue, unless the model's conformance to `Decodable` is isolated to the main actor.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread, before this call returns.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData, completion: @escaping @MainActor (WebServiceResult<Model>) -> Void
  ) -> WebServiceTask { sendRequest(requestData, callbackQueue: .main, completion: MainQueue.form(of: completion)) }

  /// Sends a request and passes the decoded model to the completion on your queue. The response is decoded there too,
  /// so a model in a module of the main actor has to be `nonisolated`.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread, before this call returns.
  ///   - callbackQueue: the queue for decoding and for the completion.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  @inlinable
  public func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (WebServiceResult<Model>) -> Void
  ) -> WebServiceTask {
    sendRequest(requestData, parser: ResponseParser<Model>.optionalJSON, callbackQueue: callbackQueue) { result in
      completion(WebServiceResult(result))
    }
  }

  /// Sends a request and returns the decoded response. Cancelling the Swift task cancels the request.
  ///
  /// ```swift
  /// let joke = try await service.sendRequest(request, as: Joke.self)
  /// let perhaps = try await service.sendRequest(request, as: Joke?.self)
  /// ```
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - type: the model; by default the type that is expected here. A response without a body is `nil` for an optional
  ///     type, and an error of kind `.undecodableBody` for any other.
  ///   - actor: the caller's; there is no need to pass it. The response is decoded in the Swift task that waits.
  /// - Throws: a ``WebServiceError``.
  public func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData, as type: Model.Type = Model.self,
    on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> Model { try await sendRequest(requestData, parser: .json(), isolation: actor) }

  /// Not available: the compiler has to know the model, as in sendRequest(request, as: Joke.self).
  @available(*, unavailable, message: "say what to decode, as in sendRequest(request, as: Joke.self)")
  public func sendRequest(
    _ requestData: some WebServiceRequestData, on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> WebServiceResponse { throw WebServiceError(.unexpected) }

  // MARK: Models of the main actor

  // Without `@_disfavoredOverload`, a model that isn't `Sendable` would take this form. Away from the main actor, the
  // compiler's error would name the actor and not the model.
  /// Sends a request, and passes a model of the main actor to the completion on the main queue.
  ///
  /// The compiler picks this form for a model whose conformance to `Decodable` is isolated to the main actor, as in a
  /// module whose default isolation is the main actor. The response is decoded on the main actor. Declare a large model
  /// `nonisolated`, so that it is decoded elsewhere: <doc:DesigningServices> says what that saves.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread, before this call returns.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  @_disfavoredOverload
  @MainActor
  public func sendRequest<Model: Decodable>(
    _ requestData: some WebServiceRequestData, completion: @escaping @MainActor (WebServiceResult<Model>) -> Void
  ) -> WebServiceTask {
    sendRequest(requestData, parser: ResponseParser<Model>.onMainActor().optional().keptOnMainActor) { result in
      completion(WebServiceResult(result.map(\.value)))
    }
  }

  // Without `@_disfavoredOverload`, the compiler would pick this form for every model, because it has fewer default
  // arguments than the form for other models.
  /// Sends a request, and returns a model of the main actor. Cancelling the Swift task cancels the request.
  ///
  /// The compiler picks this form for a model whose conformance to `Decodable` is isolated to the main actor, as in a
  /// module whose default isolation is the main actor. The response is decoded on the main actor. Declare a large model
  /// `nonisolated`, so that it is decoded elsewhere: <doc:DesigningServices> says what that saves.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - type: the model; by default the type that is expected here. A response without a body is `nil` for an optional
  ///     type, and an error of kind `.undecodableBody` for any other.
  /// - Throws: a ``WebServiceError``.
  @_disfavoredOverload
  @MainActor
  public func sendRequest<Model: Decodable>(
    _ requestData: some WebServiceRequestData, as type: Model.Type = Model.self
  ) async throws(WebServiceError) -> Model {
    try await sendRequest(
      requestData, parser: ResponseParser<Model>.onMainActor().keptOnMainActor, isolation: MainActor.shared
    ).value
  }

  // MARK: Any other value

  /// Sends a request and passes the parser's value to the completion on the main queue.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread, before this call returns.
  ///   - parser: makes the value of the response, away from the main thread.
  ///   - completion: runs exactly once, and never inside this call.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>,
    completion: @escaping @MainActor (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    sendRequest(requestData, parser: parser, callbackQueue: .main, completion: MainQueue.form(of: completion))
  }

  /// Sends a request and returns the parser's value. Cancelling the Swift task cancels the request.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - parser: makes the value of the response.
  ///   - actor: the caller's actor. You don't pass it.
  /// - Throws: a ``WebServiceError``.
  public func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>,
    on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> Value { try await sendRequest(requestData, parser: parser, isolation: actor) }
}

extension WebServiceResult {
  /// Returns the model of a success, and throws the error of a failure.
  ///
  /// - Throws: the ``WebServiceError`` of a failure.
  public func get() throws(WebServiceError) -> Model? {
    switch self {
    case .success(let model): return model
    case .failure(let error): throw error ?? WebServiceError(.unexpected, message: "a failure without an error")
    }
  }

  @inlinable init(_ result: Result<Model?, WebServiceError>) {
    switch result {
    case .success(let model): self = .success(model)
    case .failure(let error): self = .failure(error)
    }
  }
}
