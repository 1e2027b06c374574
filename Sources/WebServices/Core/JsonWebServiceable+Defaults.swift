/// The methods that a fake needn't implement.
extension JsonWebServiceable {
  /// Sends a request and returns what the parser makes of the answer. Cancelling the Swift task cancels the request.
  public func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value {
    try await awaited { completion in
      sendRequest(requestData, parser: parser, callbackQueue: .global(), completion: completion)
    }.get()
  }
}
