public import Dispatch
public import Foundation

extension JsonWebService {
  /// Sends a request and returns its answer once the head has come and was found good; the rest is read while it comes.
  ///
  /// The timeout of the request counts until the head is there, and from then on from byte to byte.
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>
  ) async throws(WebServiceError) -> ResponseStream<Element> {
    let reading = StreamReading(requestData, accept: format.accept, engine: engine)
    if Task.isCancelled { reading.run.interrupt(.cancelled) }
    reading.run.start()
    let (response, body) = try reading.opened(by: await reading.nextSignal()).get()
    let decoder = reading.run.options.decoder ?? engine.configuration.decoder
    if let body {
      if let error = reading.ending(.success(response)) { throw error }
      return ResponseStream(response: response, pieces: [body], format: format, decoder: decoder)
    }
    return ResponseStream(response: response, source: reading, format: format, decoder: decoder)
  }

  /// Sends a request and hands each element of the answer on as it comes.
  @discardableResult
  public func stream<Element>(
    _ requestData: some WebServiceRequestData, as format: StreamFormat<Element>, callbackQueue: DispatchQueue,
    onElement: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    let reading = StreamReading(requestData, accept: format.accept, engine: engine)
    let run = reading.run
    let delivery = StreamDelivery(
      reading: reading, format: format, decoder: run.options.decoder ?? engine.configuration.decoder,
      queue: callbackQueue, onElement: onElement, completion: completion)
    let slot = run.start()
    delivery.takeNext()
    return WebServiceTask(slot, in: engine.registry)
  }
}

extension JsonWebService {
  /// Sends a request and writes a good answer to a file.
  ///
  /// The timeout of the request counts from byte to byte; with a session that tells no progress (a fake of two methods),
  /// for the whole answer. What breaks a connection is resumed up to ten times, without
  /// a new request for the bytes that are there, where the server names the version by a strong `ETag` or a
  /// `Last-Modified` and knows ranges (RFC 9110, section 14).
  @discardableResult
  public func download(
    _ requestData: some WebServiceRequestData, to file: URL, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    let download = Download(
      requestData, to: file, engine: engine, callbackQueue: callbackQueue, completion: completion)
    download.start()
    return WebServiceTask { [weak download] in download?.cancel() }
  }
}
