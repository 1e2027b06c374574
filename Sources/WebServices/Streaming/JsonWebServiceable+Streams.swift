public import Foundation

extension JsonWebServiceable {
  /// Sends a request and returns the response once its head has come and the validators accept it. The body is read
  /// while it comes. Cancelling the Swift task that reads cancels the request.
  ///
  /// The timeout of the request counts up to the head, and from byte to byte after it. A fake passes on the whole
  /// response as one piece.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - format: describes the elements, such as `.lines`.
  ///   - actor: the caller's actor. You don't pass it.
  /// - Throws: a ``WebServiceError``.
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>,
    on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> ResponseStream<Element> {
    let (response, reader) = try await sendRequest(
      requestData, parser: StreamReader.parser(of: format).withResponse, isolation: actor)
    return ResponseStream(response: response.withoutBody, reader: reader)
  }

  /// Sends a request and passes each element of the response to a closure while the body comes. Both closures run on
  /// the callback queue, one call at a time. The validators and the decoder of the elements run there too. The next
  /// bytes are read after the closure has taken all elements of the bytes before. The completion runs once, after the
  /// last element.
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
    sendRequest(requestData, parser: StreamReader.parser(of: format), callbackQueue: callbackQueue) { result in
      switch result {
      case .success(let reader): reader.deliver(on: callbackQueue, onElement: onElement, completion: completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// Sends a request and passes each element of the response to a closure while the body comes, as the form with a
  /// callback queue does. Both closures run on the main queue, as the validators and the decoder do.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread, before this call returns.
  ///   - format: describes the elements, such as `.lines`.
  ///   - onElement: receives each element.
  ///   - completion: receives the head of the response, or the error.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>,
    onElement: @escaping @MainActor (Element) -> Void,
    completion: @escaping @MainActor (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    stream(
      requestData, as: format, callbackQueue: .main, onElement: MainQueue.form(of: onElement),
      completion: MainQueue.form(of: completion))
  }
}

extension StreamReader {
  /// Gives a reader once the head of the response has come. For a fake the reader has the whole response.
  fileprivate static func parser(of format: StreamFormat<Element>) -> ResponseParser<StreamReader> {
    ResponseParser(accept: format.accept) { response, decoder, _ in
      StreamReader([response.body], of: response.withoutBody, as: format, decoder)
    } exchange: { data, engine, queue, completion in
      let body = StreamedBody()
      let run = RequestRun(data, accept: format.accept, sink: body, engine: engine)
      let reader = StreamReader(run, body, as: format)
      let slot = run.start { _, outcome in body.end(outcome) }
      reader.open(on: queue) { outcome in
        completion {
          outcome.flatMap { head in
            // A user who has signed out on the caller's actor gets no head either.
            run.isOfFormerUser ? run.end(with: .failure(WebServiceError(.cancelled))) : .success((run, head, reader))
          }
        }
      }
      return WebServiceTask(slot, in: engine)
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
