public import Dispatch
import Foundation

/// A web service that your code takes as a parameter, so that you can test the code with a fake.
///
/// A fake implements the first method, and gives it what the parser makes of a canned `WebServiceResponse`; all others
/// stand on it.
public protocol JsonWebServiceable: AnyObject, Sendable {
  /// Sends a request and hands what the parser makes of the answer to the completion.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - parser: makes the value.
  ///   - callbackQueue: where the completion runs.
  ///   - completion: runs exactly once, and never inside this call. Where the queue runs on another thread, the completion may
  ///     begin before this call has returned.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask

  /// Sends a request and returns what the parser makes of the answer. Cancelling the Swift task cancels the request.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - parser: makes the value.
  ///   - isolation: the caller's actor; `sendRequest(_:parser:)` passes it.
  func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value
}

/// The methods that a fake needn't implement.
extension JsonWebServiceable {
  /// Sends a request and returns the parser's value. Cancelling the Swift task cancels the request.
  public func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value {
    try await awaited { completion in
      sendRequest(requestData, parser: parser, callbackQueue: .global(), completion: completion)
    }.get()
  }
}

// MARK: The shortest forms: JSON models

extension JsonWebServiceable {
  /// Sends a request and hands the decoded answer to the completion on the main queue.
  ///
  /// - Parameters:
  ///   - requestData: the request; it is described on this thread, before this returns.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData,
    completion: @escaping @MainActor (WebServiceResult<Model>) -> Void
  ) -> WebServiceTask {
    sendRequest(requestData, callbackQueue: .main) { (result: WebServiceResult<Model>) in
      MainActor.assumeIsolated { completion(result) }
    }
  }

  /// Sends a request and hands the decoded answer to the completion on a queue of the caller's, where it is decoded
  /// too.
  ///
  /// - Parameters:
  ///   - requestData: the request; it is described on this thread, before this returns.
  ///   - callbackQueue: where the completion runs.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (WebServiceResult<Model>) -> Void
  ) -> WebServiceTask {
    sendRequest(requestData, parser: .model(), callbackQueue: callbackQueue) { result in
      completion(WebServiceResult(result))
    }
  }

  /// Sends a request and returns the decoded answer; `nil` is an answer without a body. It is decoded in the Swift task
  /// that waits for it; cancelling that task cancels the request.
  public func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData, as type: Model.Type, on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> Model? {
    try await sendRequest(requestData, parser: .model(), isolation: actor)
  }

  /// Sends a request and returns the decoded answer as the type that is expected here; `nil` is an answer without a
  /// body. Cancelling the Swift task cancels the request.
  public func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData, on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> Model? {
    try await sendRequest(requestData, parser: .model(), isolation: actor)
  }
}

// MARK: Any other value

extension JsonWebServiceable {
  /// Sends a request and hands what the parser makes of the answer to the completion on the main queue.
  @discardableResult
  public func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>,
    completion: @escaping @MainActor (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    sendRequest(requestData, parser: parser, callbackQueue: .main) { result in
      MainActor.assumeIsolated { completion(result) }
    }
  }

  /// Sends a request and returns what the parser makes of the answer. Cancelling the Swift task cancels the request.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - parser: makes the value.
  ///   - actor: the caller's; there is no need to pass it.
  public func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>,
    on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> Value {
    try await sendRequest(requestData, parser: parser, isolation: actor)
  }
}

extension WebServiceResult {
  /// The model of a success; a failure is thrown.
  public func get() throws(WebServiceError) -> Model? {
    switch self {
    case .success(let model): return model
    case .failure(let error): throw error ?? WebServiceError(.unexpected, message: "a failure without an error")
    }
  }

  init(_ result: Result<Model?, WebServiceError>) {
    switch result {
    case .success(let model): self = .success(model)
    case .failure(let error): self = .failure(error)
    }
  }
}

extension ResponseParser {
  /// JSON, or `nil` for a response without a body.
  static func model<Model: Decodable>() -> ResponseParser where Value == Model? {
    ResponseParser(
      accept: "application/json",
      parse: { response, decoder in
        response.body.isEmpty ? nil : try decoder.decode(Model.self, from: response.body)
      })
  }
}
