import Dispatch
import Foundation

/// The caller's end of a streamed response. It decodes elements for the asynchronous sequence and for callbacks alike.
///
/// One caller reads at a time. Releasing the reader cancels its request.
final class StreamReader<Element: Sendable>: @unchecked Sendable {
  private enum State {
    case beforeHead
    case reading(head: WebServiceResponse)
    /// The decoder has the whole body.
    case draining(head: WebServiceResponse)
    case ended(Result<WebServiceResponse, WebServiceError>)
  }

  private enum Step {
    case element(Element)
    /// The decoder needs the next part of the body.
    case wait
    case end(Result<WebServiceResponse, WebServiceError>)
  }

  // One user at a time has `state` and `decoder`: the sequence's iterator, or a block on the callback queue, which
  // enqueues the next block when it is done. The lock of `body` orders these uses.
  private var state: State
  private let decoder: StreamFormat<Element>.Decoder
  private let body = StreamedBody()
  /// `nil` for a body in memory.
  private let run: RequestRun?

  /// Prepares a request; `start()` sends it.
  init(_ data: any WebServiceRequestData, as format: StreamFormat<Element>, engine: Engine) {
    let run = RequestRun(
      data, accept: format.accept, sink: body, engine: engine,
      delivery: RequestRun.Delivery { [body] _, outcome in body.end(outcome) })
    self.run = run
    state = .beforeHead
    decoder = format.makeDecoder(run.options.decoder ?? engine.configuration.decoder)
  }

  /// Reads a body that is in memory.
  init(_ response: WebServiceResponse, pieces: [Data], as format: StreamFormat<Element>, decoder: JSONDecoder) {
    run = nil
    state = .reading(head: response)
    self.decoder = format.makeDecoder(decoder)
    for piece in pieces { body.receive(piece, transfer: 0) {} }
    body.end(.success(response))
  }

  deinit {
    run?.interrupt(.cancelled)
    _ = run?.claim(Result<Void, WebServiceError>.failure(WebServiceError(.cancelled)))
  }

  /// - Returns: the request's place in the registry.
  @discardableResult
  func start() -> RunRegistry.Slot? { run?.start() }

  // MARK: The sequence

  /// Sends the request and waits for the head of a good response.
  func open() async throws(WebServiceError) -> WebServiceResponse {
    if Task.isCancelled { run?.interrupt(.cancelled) }
    start()
    while true {
      switch state {
      case .beforeHead: take(await nextPart())
      case .reading(let head), .draining(let head): return head
      case .ended(let result): return try result.get()
      }
    }
  }

  /// The next element; `nil` at the end.
  func next() async throws(WebServiceError) -> Element? {
    while true {
      switch step() {
      case .element(let element): return element
      case .wait: take(await nextPart())
      case .end(let result):
        _ = try result.get()
        return nil
      }
    }
  }

  private func nextPart() async -> BodyQueue.Part {
    guard let run else { return await withUnsafeContinuation { next in body.next { next.resume(returning: $0) } } }
    return await run.awaiting { next in body.next { next.resume(returning: $0) } }
  }

  // MARK: Callbacks

  /// Passes each element to a closure, then the end to the completion.
  ///
  /// - Parameter queue: where both closures run; `nil` reads a body in memory inside this call.
  func deliver(
    on queue: DispatchQueue?, onElement: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) {
    body.next { part in
      let pass: @Sendable () -> Void = {
        self.take(part)
        while true {
          switch self.step() {
          case .element(let element): onElement(element)
          case .wait: return self.deliver(on: queue, onElement: onElement, completion: completion)
          case .end(let result): return completion(result)
          }
        }
      }
      if let queue { queue.async(execute: pass) } else { pass() }
    }
  }

  // MARK: Both

  private func take(_ part: BodyQueue.Part) {
    switch (state, part) {
    case (.beforeHead, .head(let response)):
      open(response)
    case (.beforeHead, .end(.success(let response))):
      open(response)
      take(.piece(response.body))
      take(.end(.success(response)))
    case (.reading, .piece(let data)):
      decoder.append(data)
    case (.reading(let head), .end(.success)):
      decoder.finish()
      state = .draining(head: head)
    case (_, .end(.failure(let error))):
      end(.failure(error))
    case (_, .head), (_, .piece), (_, .end):
      // A transport repeated the head, or the validators refused a response that has its body.
      break
    }
  }

  private func open(_ response: WebServiceResponse) {
    if let error = run?.refusal(of: response) {
      end(.failure(error))
    } else {
      state = .reading(head: response.withoutBody)
    }
  }

  private func step() -> Step {
    switch state {
    case .beforeHead: return .wait
    case .ended(let result): return .end(result)
    case .reading(let head), .draining(let head):
      do {
        // A cancelled request passes on nothing but its end.
        if run?.isInterrupted != true, let element = try decoder.next() { return .element(element) }
      } catch {
        return .end(end(.failure(decodingError(error, head: head))))
      }
      if case .draining = state { return .end(end(.success(head))) }
      return .wait
    }
  }

  private func decodingError(_ error: any Error, head: WebServiceResponse) -> WebServiceError {
    guard let run else {
      let cause = (error as? UndecodablePiece)?.error ?? error
      return WebServiceError(.undecodableBody, phase: .read, response: head, underlying: cause)
    }
    return run.readingError(error, response: head)
  }

  /// Ends the request. If something else has ended it before, that counts more than the result.
  @discardableResult
  private func end(
    _ result: Result<WebServiceResponse, WebServiceError>
  ) -> Result<WebServiceResponse, WebServiceError> {
    var claimed = run?.claim(result)
    if let run, claimed == nil {
      // The transfer is still running.
      run.interrupt(.cancelled)
      claimed = run.claim(result)
    }
    let final = claimed ?? result
    state = .ended(final)
    return final
  }
}
