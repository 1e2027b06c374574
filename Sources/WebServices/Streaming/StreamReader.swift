import Foundation

/// Reads a streamed response for the caller, and decodes its elements for the asynchronous sequence and for callbacks
/// alike.
///
/// Call `open`, then `next()` for a sequence or `deliver` for callbacks. One caller reads at a time.
/// Releasing the reader cancels its request.
final class StreamReader<Element: Sendable>: @unchecked Sendable {
  typealias Outcome = Result<WebServiceResponse, WebServiceError>

  /// The place in the response.
  ///
  /// | state | next states |
  /// |---|---|
  /// | `beforeHead` | `reading`; `ended` after a failure or a refused response |
  /// | `reading` | `ended` after the last element or a failure |
  /// | `ended` | none |
  private enum State {
    case beforeHead
    /// The decoder may have more elements, and has the whole body if `isWhole`.
    case reading(head: WebServiceResponse, isWhole: Bool)
    case ended(Outcome)
  }

  // `state` and `decoder` have no lock. One user at a time changes them: the sequence's iterator, or a block on the
  // callback queue. Each user takes a part from `body` first, and the lock of `body` orders the users.
  private var state: State
  private let decoder: StreamFormat<Element>.Decoder
  private let body: StreamedBody
  /// `nil` for a body in memory.
  let run: RequestRun?

  /// Reads the body of a request, which may be started later.
  init(_ run: RequestRun, _ body: StreamedBody, as format: StreamFormat<Element>) {
    self.run = run
    self.body = body
    state = .beforeHead
    decoder = format.makeDecoder(run.decoder)
  }

  /// Reads a body that is in memory.
  init(
    _ pieces: [Data], of response: WebServiceResponse, as format: StreamFormat<Element>, _ decoder: FeatherJSONDecoder
  ) {
    run = nil
    body = StreamedBody()
    state = .reading(head: response, isWhole: false)
    self.decoder = format.makeDecoder(decoder)
    for piece in pieces { body.receive(piece, transfer: 0) {} }
    body.end(.success(response))
  }

  deinit {
    run?.interrupt(.cancelled)
    // Nobody else claims the request, and the engine retains a request until it is claimed.
    _ = run?.claim(failure: WebServiceError(.cancelled))
  }

  /// The end, once the reader has ended.
  private var end: Outcome? { if case .ended(let result) = state { result } else { nil } }

  // MARK: The sequence

  /// The next element; `nil` at the end.
  func next() async throws(WebServiceError) -> Element? {
    while true {
      if let element = decode() { return element }
      if let end {
        _ = try end.get()
        return nil
      }
      handle(await nextPart())
    }
  }

  private func nextPart() async -> StreamedBody.Part {
    guard let run else { return await withUnsafeContinuation { next in body.next { next.resume(returning: $0) } } }
    return await run.awaiting { next in body.next { next.resume(returning: $0) } }
  }

  // MARK: Callbacks

  /// Waits for the head of a good response, and passes it to the completion.
  func open(on queue: DispatchQueue, completion: @escaping @Sendable (Outcome) -> Void) {
    read(on: queue, completion) { [self] in
      if run?.isInterrupted != true, case .reading(let head, _) = state { return .success(head) }
      // A cancelled request passes on nothing but its end.
      _ = decode()
      return end
    }
  }

  /// Passes each element to a closure, then the end to the completion.
  func deliver(
    on queue: DispatchQueue, onElement: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Outcome) -> Void
  ) {
    read(on: queue, completion) { [self] in
      while let element = decode() { onElement(element) }
      return end
    }
  }

  /// Handles one part after the other on the queue, until `outcome` returns the outcome for the completion.
  private func read(
    on queue: DispatchQueue, _ completion: @escaping @Sendable (Outcome) -> Void,
    until outcome: @escaping @Sendable () -> Outcome?
  ) {
    body.next { [self] part in
      // The body gives the next part only after `read` asks for it, so the blocks never overlap.
      queue.enqueue { [self] in
        handle(part)
        if let outcome = outcome() { completion(outcome) } else { read(on: queue, completion, until: outcome) }
      }
    }
  }

  // MARK: Both

  /// Handles the next part of the response. Only the caller who reads may call this.
  private func handle(_ part: StreamedBody.Part) {
    switch (state, part) {
    case (.beforeHead, .head(let response)): beginReading(response)
    case (.beforeHead, .end(.success(let response))):
      beginReading(response)
      // The body gives its end again, as the next part.
      handle(.piece(response.body))
    case (.reading, .piece(let data)): decoder.append(data)
    case (.reading(let head, _), .end(.success)): state = .reading(head: head, isWhole: true)
    case (_, .end(.failure(let error))): endRequest(with: .failure(error))
    case (_, .head), (_, .piece), (_, .end):
      // A transport repeated the head, or the validators refused a response that has its body.
      break
    }
  }

  /// Begins to read the body, unless a validator refuses the head.
  private func beginReading(_ response: WebServiceResponse) {
    if let error = run?.refusal(of: response) { return endRequest(with: .failure(error)) }
    state = .reading(head: response.withoutBody, isWhole: false)
  }

  /// The next complete element. If there is none, the reader has ended or needs the next part of the body.
  private func decode() -> Element? {
    guard case .reading(let head, let isWhole) = state else { return nil }
    do {
      // A cancelled request passes on nothing but its end.
      if run?.isInterrupted != true, let element = try decoder.next(isWhole) { return element }
      if isWhole { endRequest(with: .success(head)) }
    } catch {
      let piece = error as? UndecodablePiece
      endRequest(with: .failure(WebServiceError(undecodable: head, piece?.error ?? error, in: piece?.bytes)))
    }
    return nil
  }

  /// Claims the request, and ends the reader with the result. An interruption that came before the claim replaces the
  /// result.
  private func endRequest(with result: Outcome) { state = .ended(run?.end(with: result) ?? result) }
}
