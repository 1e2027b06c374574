public import Dispatch
public import Foundation

/// A web service that passes a response on while it comes: element by element, or into a file.
///
/// ``JsonWebService`` is one. Every other ``JsonWebServiceable`` has the same methods, which wait for the whole
/// response. A fake or a forwarder replaces some of them by conforming to this protocol.
public protocol WebServiceStreamable: JsonWebServiceable {
  /// Sends a request and returns the response once its head has come and the validators accept it. The body is read
  /// while it comes. Cancelling the Swift task that reads cancels the request.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - format: describes the elements, such as `.lines`.
  /// - Throws: a ``WebServiceError``.
  func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>
  ) async throws(WebServiceError) -> ResponseStream<Element>

  /// Sends a request and passes each element of the response to a closure while the body comes. The next bytes are read
  /// after the closure has taken all elements of the bytes before.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - format: makes the elements, on the callback queue.
  ///   - callbackQueue: the queue for both closures.
  ///   - onElement: runs for each element, one call at a time.
  ///   - completion: runs exactly once, after the last element, with the head of the response.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>, callbackQueue: DispatchQueue,
    onElement: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask

  /// Sends a request and writes a successful response to a file. The file appears as a whole, after the last byte. A
  /// request that fails leaves nothing behind unless ``RequestOptions/partialDownload`` keeps the bytes. A transfer that
  /// breaks is resumed if the server supports it.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - file: the file to write; an existing one is replaced.
  ///   - callbackQueue: the queue for the completion.
  ///   - completion: runs exactly once, with the head of the response.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  func download(
    _ requestData: some WebServiceRequestData, to file: URL, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask
}

// MARK: Every service

extension JsonWebServiceable {
  /// Streams the response, or passes on the whole response as one piece if the service can't stream.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - format: describes the elements, such as `.lines`.
  /// - Throws: a ``WebServiceError``.
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>
  ) async throws(WebServiceError) -> ResponseStream<Element> {
    if let service = self as? any WebServiceStreamable { return try await service.stream(requestData, as: format) }
    return try await streamWhole(requestData, as: format)
  }

  /// Streams the response, or passes on the whole response as one piece if the service can't stream. Both closures run
  /// on the callback queue, one call at a time. The completion runs once, after the last element.
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
    guard let service = self as? any WebServiceStreamable else {
      return streamWhole(
        requestData, as: format, callbackQueue: callbackQueue, onElement: onElement, completion: completion)
    }
    return service.stream(
      requestData, as: format, callbackQueue: callbackQueue, onElement: onElement, completion: completion)
  }

  /// Writes a successful response to a file while it comes, or at once if the service can't stream. The completion runs
  /// once, on the callback queue.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread, before this call returns.
  ///   - file: the file to write; an existing one is replaced.
  ///   - callbackQueue: the queue for the completion.
  ///   - completion: receives the head of the response, or the error.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func download(
    _ requestData: some WebServiceRequestData, to file: URL, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    guard let service = self as? any WebServiceStreamable else {
      return downloadWhole(requestData, to: file, callbackQueue: callbackQueue, completion: completion)
    }
    return service.download(requestData, to: file, callbackQueue: callbackQueue, completion: completion)
  }

  /// Writes a successful response to a file, as the form with a completion does. Cancelling the Swift task cancels the
  /// request.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - file: the file to write; an existing one is replaced.
  /// - Throws: a ``WebServiceError``.
  /// - Returns: the head of the response.
  @discardableResult
  public func download(
    _ requestData: some WebServiceRequestData, to file: URL
  ) async throws(WebServiceError) -> WebServiceResponse {
    try await awaited { completion in
      download(requestData, to: file, callbackQueue: .global(), completion: completion)
    }.get()
  }
}

// MARK: What a streamable service has without implementing it

extension WebServiceStreamable {
  /// Passes on the whole response as one piece.
  ///
  /// - Throws: a ``WebServiceError``.
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>
  ) async throws(WebServiceError) -> ResponseStream<Element> {
    try await streamWhole(requestData, as: format)
  }

  /// Passes on the whole response as one piece. Both closures run on the callback queue.
  @discardableResult
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>, callbackQueue: DispatchQueue,
    onElement: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    streamWhole(requestData, as: format, callbackQueue: callbackQueue, onElement: onElement, completion: completion)
  }

  /// Writes the whole response at once. The completion runs on the callback queue.
  @discardableResult
  public func download(
    _ requestData: some WebServiceRequestData, to file: URL, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    downloadWhole(requestData, to: file, callbackQueue: callbackQueue, completion: completion)
  }
}

// MARK: Over `sendRequest`

extension JsonWebServiceable {
  fileprivate func streamWhole<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>
  ) async throws(WebServiceError) -> ResponseStream<Element> {
    let response = try await sendRequest(requestData, parser: .response)
    return ResponseStream(
      response: response.withoutBody, pieces: [response.body], format: format,
      decoder: requestData._options.decoder ?? JSONDecoder())
  }

  fileprivate func streamWhole<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>, callbackQueue: DispatchQueue,
    onElement: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    // A fake has no configuration, so no other decoder is known.
    let decoder = requestData._options.decoder ?? JSONDecoder()
    return sendRequest(requestData, parser: .response, callbackQueue: callbackQueue) { result in
      guard case .success(let response) = result else { return completion(result) }
      StreamReader(response.withoutBody, pieces: [response.body], as: format, decoder: decoder)
        .deliver(on: nil, onElement: onElement, completion: completion)
    }
  }

  fileprivate func downloadWhole(
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
