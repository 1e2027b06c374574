public import Dispatch
import Foundation

extension JsonWebServiceable {
  /// Sends a request and returns the response once its head has come and the validators accept it. The body is read
  /// while it comes. Cancelling the Swift task that reads cancels the request.
  ///
  /// The timeout of the request counts up to the head, and from byte to byte after it. A service other than a
  /// ``JsonWebService`` passes on the whole response as one piece.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - format: describes the elements, such as `.lines`.
  /// - Throws: a ``WebServiceError``.
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>
  ) async throws(WebServiceError) -> ResponseStream<Element> {
    if let service = self as? JsonWebService {
      let reader = StreamReader(requestData, as: format, engine: service.engine)
      return ResponseStream(response: try await reader.open(), reader: reader)
    }
    let response = try await sendRequest(requestData, parser: .response)
    return ResponseStream(
      response: response.withoutBody, pieces: [response.body], format: format,
      decoder: requestData._options.decoder ?? JSONDecoder())
  }

  /// Sends a request and passes each element of the response to a closure while the body comes. Both closures run on
  /// the callback queue, one call at a time. The next bytes are read after the closure has taken all elements of the
  /// bytes before. The completion runs once, after the last element.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread, before this call returns.
  ///   - format: describes the elements, such as `.lines`.
  ///   - callbackQueue: the queue for both closures.
  ///   - onElement: receives each element.
  ///   - completion: receives the head of the response, or the error.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>, callbackQueue: DispatchQueue,
    onElement: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    if let service = self as? JsonWebService {
      let reader = StreamReader(requestData, as: format, engine: service.engine)
      let slot = reader.start()
      reader.deliver(on: callbackQueue, onElement: onElement, completion: completion)
      return WebServiceTask(slot, in: service.engine.registry)
    }
    // A fake has no configuration, so no other decoder is known.
    let decoder = requestData._options.decoder ?? JSONDecoder()
    return sendRequest(requestData, parser: .response, callbackQueue: callbackQueue) { result in
      guard case .success(let response) = result else { return completion(result) }
      StreamReader(response.withoutBody, pieces: [response.body], as: format, decoder: decoder)
        .deliver(on: nil, onElement: onElement, completion: completion)
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
