public import Foundation

extension JsonWebServiceable {
  /// Sends a request and writes a response of the status 200...299 to a file. Another status fails the download, also
  /// if the validators accept it. The file appears as a whole, after the last byte. A request that fails leaves nothing
  /// behind unless ``RequestOptions/partialDownload`` keeps the bytes.
  ///
  /// The timeout of the request counts from byte to byte. With a session that reports no progress (a fake of two
  /// methods) it counts for the whole response. A transfer that breaks is resumed up to ten times. The server has to
  /// support ranges (RFC 9110, section 14): <doc:TransferringFiles> says what else is needed. A fake writes the whole
  /// response at once.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread, before this call returns.
  ///   - file: the file to write; an existing regular file is replaced. A link, a folder, a pipe or a device in its
  ///     place fails the download with ``WebServiceError/Kind/file``. The folder of the file may be a link.
  ///   - callbackQueue: the queue for the completion. The file takes its place there, right before the completion.
  ///   - completion: receives the head of the response, or the error. It runs exactly once, and never inside this call.
  ///     The library writes nothing after it, also if the download was cancelled.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func download(
    _ requestData: some WebServiceRequestData, to file: URL, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask {
    sendRequest(requestData, parser: .file(file), callbackQueue: callbackQueue, completion: completion)
  }

  /// Writes a successful response to a file, as the form with a callback queue does. The completion runs on the main
  /// queue.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread, before this call returns.
  ///   - file: the file to write; an existing regular file is replaced.
  ///   - completion: receives the head of the response, or the error. It runs exactly once, and never inside this call.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func download(
    _ requestData: some WebServiceRequestData, to file: URL,
    completion: @escaping @MainActor (Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> WebServiceTask { sendRequest(requestData, parser: .file(file), completion: completion) }

  /// Writes a successful response to a file, as the forms with a completion do. Cancelling the Swift task cancels the
  /// request.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - file: the file to write; an existing regular file is replaced. The file takes its place on the caller's actor.
  ///   - actor: the caller's actor. You don't pass it.
  /// - Throws: a ``WebServiceError``.
  /// - Returns: the head of the response.
  @discardableResult
  public func download(
    _ requestData: some WebServiceRequestData, to file: URL, on actor: isolated (any Actor)? = #isolation
  ) async throws(WebServiceError) -> WebServiceResponse {
    try await sendRequest(requestData, parser: .file(file), isolation: actor)
  }
}

extension ResponseParser where Value == WebServiceResponse {
  /// The head of a response whose body is in a file.
  fileprivate static func file(_ file: URL) -> ResponseParser {
    ResponseParser(accept: "*/*") { response, _, _ in
      do {
        try DownloadFile.checkTarget(file.path)
        try response.body.write(to: file, options: .atomic)
      } catch { throw WebServiceError(.file, phase: .read, response: response.withoutBody, underlying: error) }
      return response.withoutBody
    } exchange: { data, engine, queue, completion in
      engine.download(Request(data), to: file, on: queue, completion)
    }
  }
}

extension Engine {
  /// Writes the response to a hidden file beside the target, and moves the hidden file to the target after the last
  /// byte. A broken transfer is resumed as another attempt of the same request.
  fileprivate func download(
    _ request: Request, to target: URL, on queue: DispatchQueue,
    _ completion: @escaping @Sendable (@escaping ResponseParser<WebServiceResponse>.LastStep) -> Void
  ) -> WebServiceTask {
    let file = DownloadFile(
      beside: target, kept: request.method == .get ? request.options.partialDownload : .deleted,
      credentials: request.authorization != .none ? "authorization" : hasCredentialLayer ? "cookies" : nil,
      redaction: configuration.redaction)
    let sink = DownloadSink(to: file)
    let run = RequestRun(request, accept: "*/*", sink: sink, engine: self)
    let slot = run.start { run, outcome in
      sink.close {
        // The validators see the response for the whole file.
        let outcome = run.read(outcome.map(sink.whole), with: .response)
        let flushing = Result { try file.flush() }
        queue.enqueue {
          completion {
            // Claimed before the move, so that a cancelled download leaves the target as it was.
            let final = run.end(with: outcome).flatMap { response in
              Result {
                try flushing.get()
                try file.move()
                return (run: run, head: response, value: response)
              }.mapError {
                run.withFacts(
                  WebServiceError(
                    .file, phase: .read, message: "the response can't be written to its file", response: response,
                    underlying: $0))
              }
            }
            if case .failure(let error) = final { file.end(keepingBytes: self.keepsBytes(after: error, of: run)) }
            return final
          }
        }
      }
    }
    return WebServiceTask(slot, in: self)
  }

  /// Whether a later download may continue with the bytes.
  private func keepsBytes(after error: WebServiceError, of run: RequestRun) -> Bool {
    let isGone = [.statusCode(404), .statusCode(410), .statusCode(416)].contains(error.kind)
    // The bytes before the place where the decoder noticed the damage may be wrong too.
    let isDamaged = error.underlying(as: TransportError.self)?.kind == .badEncoding
    // A service that was shut down admits nobody, though its user is still signed in.
    let isSignedOut = interruption(of: run.identity) == .cancelled
    return !isGone && !isDamaged && !isSignedOut
  }
}
