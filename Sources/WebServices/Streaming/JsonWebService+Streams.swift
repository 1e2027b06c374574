public import Dispatch
public import Foundation

extension JsonWebService: WebServiceStreamable {
  /// Sends a request and returns the response once its head has come and the validators accept it. The body is read
  /// while it comes.
  ///
  /// The timeout of the request counts up to the head, and from byte to byte after it.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - format: describes the elements, such as `.lines`.
  /// - Throws: a ``WebServiceError``.
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>
  ) async throws(WebServiceError) -> ResponseStream<Element> {
    let reader = StreamReader(requestData, as: format, engine: engine)
    return ResponseStream(response: try await reader.open(), reader: reader)
  }

  /// Sends a request and passes each element of the response to a closure while the body comes. Both closures run on
  /// the callback queue, one call at a time. The completion runs once, after the last element.
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
    let reader = StreamReader(requestData, as: format, engine: engine)
    let slot = reader.start()
    reader.deliver(on: callbackQueue, onElement: onElement, completion: completion)
    return WebServiceTask(slot, in: engine.registry)
  }

  /// Sends a request and writes a successful response to a file. The completion runs once, on the callback queue.
  ///
  /// The timeout of the request counts from byte to byte. With a session that reports no progress (a fake of two
  /// methods) it counts for the whole response. A transfer that breaks is resumed up to ten times. The server has to
  /// support ranges (RFC 9110, section 14) and name the version by a strong `ETag` or a `Last-Modified`.
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
    let download = Download(
      requestData, to: file, engine: engine, callbackQueue: callbackQueue, completion: completion)
    download.start()
    // Weak, because the download's attempts retain the download until the completion has run.
    return WebServiceTask { [weak download] in download?.cancel() }
  }
}
