public import Dispatch

/// What consumers of a web service inject, so that they can be tested without one.
///
/// A fake implements the first method; the other two stand on it.
public protocol JsonWebServiceable: AnyObject, Sendable {
  /// Sends a request and hands the decoded answer to the completion.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - callbackQueue: where the completion runs.
  ///   - completion: runs exactly once, after this has returned.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (WebServiceResult<Model>) -> Void
  ) -> WebServiceTask

  /// Sends a request and hands the decoded answer to the completion on the main queue.
  @discardableResult
  func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData,
    completion: @escaping @MainActor (WebServiceResult<Model>) -> Void
  ) -> WebServiceTask

  /// Sends a request and returns the decoded answer; `nil` is an answer without a body. Cancelling the Swift task
  /// cancels the request.
  func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData, as type: Model.Type
  ) async throws(WebServiceError) -> Model?
}

extension JsonWebServiceable {
  /// Sends a request and hands the decoded answer to the completion on the main queue.
  @discardableResult
  public func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData,
    completion: @escaping @MainActor (WebServiceResult<Model>) -> Void
  ) -> WebServiceTask {
    sendRequest(requestData, callbackQueue: .main) { (result: WebServiceResult<Model>) in
      MainActor.assumeIsolated { completion(result) }
    }
  }

  /// Sends a request and returns the decoded answer; `nil` is an answer without a body. Cancelling the Swift task
  /// cancels the request.
  public func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData, as type: Model.Type
  ) async throws(WebServiceError) -> Model? {
    let handle = TaskCancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let task = sendRequest(requestData, callbackQueue: .global()) { (result: WebServiceResult<Model>) in
          continuation.resume(returning: result)
        }
        handle.set { task.cancel() }
      }
    } onCancel: {
      handle.cancel()
    }
    return try result.get()
  }

  /// Sends a request and returns the decoded answer as the type that is expected here; `nil` is an answer without a
  /// body. Cancelling the Swift task cancels the request.
  public func sendRequest<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData
  ) async throws(WebServiceError) -> Model? {
    try await sendRequest(requestData, as: Model.self)
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
}
