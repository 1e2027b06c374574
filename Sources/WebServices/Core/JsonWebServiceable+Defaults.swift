public import Dispatch
public import Foundation

/// What a fake has without implementing it.
extension JsonWebServiceable {
  /// Sends a request and returns what the parser makes of the answer. Cancelling the Swift task cancels the request.
  public func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value {
    try await awaited { completion in
      sendRequest(requestData, parser: parser, callbackQueue: .global(), completion: completion)
    }.get()
  }

  /// Gives the whole answer as one piece.
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>
  ) async throws(WebServiceError) -> ResponseStream<Element> {
    let response = try await sendRequest(requestData, parser: .response)
    return ResponseStream(
      response: response.withoutBody, pieces: [response.body], format: format,
      decoder: requestData.options.decoder ?? JSONDecoder())
  }

  /// Gives the whole answer as one piece.
  @discardableResult
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>, callbackQueue: DispatchQueue,
    onElement: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    let decoder = requestData.options.decoder ?? JSONDecoder()
    return sendRequest(requestData, parser: .response, callbackQueue: callbackQueue) { result in
      guard case .success(let response) = result else { return completion(result) }
      StreamReader(response.withoutBody, pieces: [response.body], as: format, decoder: decoder)
        .deliver(on: nil, onElement: onElement, completion: completion)
    }
  }

  /// Writes the whole answer at once.
  @discardableResult
  public func download(
    _ requestData: some WebServiceRequestData, to file: URL, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    sendRequest(requestData, parser: .response, callbackQueue: callbackQueue) { result in
      completion(
        result.flatMap { response in
          Result {
            try response.body.write(to: file, options: .atomic)
            return response.withoutBody
          }.mapError { WebServiceError(.file, phase: .read, response: response.withoutBody, underlying: $0) }
        })
    }
  }
}

extension WebServiceResponse {
  var withoutBody: WebServiceResponse {
    var copy = self
    copy.body = Data()
    return copy
  }
}
