import Foundation

/// Passes a streamed body from the transport to one reader, which calls `next`. It calls the reader and the transport
/// after unlocking.
///
/// The reader reads the head, then pieces, then the end. The transport continues after a piece once the reader asks for
/// the next part.
final class StreamedBody: ResponseSink {
  /// A part of a streamed response, as its reader gets it.
  enum Part: Sendable {
    /// The head of a good response.
    case head(WebServiceResponse)
    case piece(Data)
    /// The last part. The response of a success without a head before it has its body in memory.
    case end(Result<WebServiceResponse, WebServiceError>)
  }

  /// Takes a part on any thread. It returns at once and runs no code of a caller.
  typealias Reader = @Sendable (Part) -> Void
  /// Lets the transport continue.
  typealias Permit = @Sendable () -> Void

  private struct State {
    var parts: [(part: Part, permit: Permit?)] = []
    var end: Part?
    /// The permit of the piece that the reader took last.
    var permit: Permit?
    /// The reader that waits for a part.
    var reader: Reader?
  }

  /// Guards the parts and the reader that waits.
  private let state = Locked(State())

  let isStream = true

  /// Asks for the next part. One reader waits at a time.
  func next(_ reader: @escaping Reader) {
    change { state in
      state.reader = reader
      return state.permit.take()
    }?()
  }

  func begin(_ head: WebServiceResponse, transfer: Int, fail: @escaping @Sendable (TransportError) -> Void) {
    // A stream that has begun is never sent again, so there is no other transfer to tell apart.
    add(.head(head), permit: nil)
  }

  func receive(_ piece: Data, transfer: Int, proceed: @escaping @Sendable () -> Void) {
    add(.piece(piece), permit: proceed)
  }

  /// The request has ended. A failure drops the parts that the reader hasn't taken.
  func end(_ outcome: Result<WebServiceResponse, WebServiceError>) {
    // Released after unlocking. The transport doesn't continue, because the transfer has ended.
    if case .failure = outcome { _ = change { (exchange(&$0.parts, with: []), $0.permit.take()) } }
    change { $0.end = .end(outcome) }
  }

  private func add(_ part: Part, permit: Permit?) { change { if $0.end == nil { $0.parts.append((part, permit)) } } }

  /// Changes the state, and passes a part to the reader if both are there.
  private func change<Output>(_ body: (inout State) -> Output) -> Output {
    let (output, reader, part) = state.withLock { state in
      let output = body(&state)
      let next = state.parts.first ?? state.end.map { (part: $0, permit: nil) }
      guard let reader = state.reader, let next else { return (output, nil as Reader?, nil as Part?) }
      if !state.parts.isEmpty { state.parts.removeFirst() }
      (state.reader, state.permit) = (nil, next.permit)
      return (output, reader, next.part)
    }
    // The reader waits, so no other part can overtake this one.
    if let reader, let part { reader(part) }
    return output
  }

  // MARK: What a stream doesn't need

  func prepare(_ request: TransportRequest) {}

  func willSend(_ request: inout TransportRequest, transfer: Int) {}

  func end(_ result: TransferResult, transfer: Int, then done: @escaping @Sendable (TransferResult) -> Void) {
    done(result)
  }

  func resume(after result: TransferResult, method: HTTPMethod) -> Int? { nil }
}
