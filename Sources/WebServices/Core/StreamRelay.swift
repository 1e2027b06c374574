import Foundation

/// Stands between a transport, which gives an answer in pieces, and its reader, who takes them at a pace of their own:
/// the transport reads no further before the reader has come back for the next piece.
final class StreamRelay: AnswerReader {
  enum Signal: Sendable {
    /// The head of a good answer.
    case head(WebServiceResponse)
    case piece(Data)
    /// The last signal. A success without a head before it is an answer that wasn't streamed.
    case end(Result<WebServiceResponse, WebServiceError>)
  }

  /// Takes a signal, on whatever thread it comes: it returns at once and runs no code of a caller's.
  typealias Reader = @Sendable (Signal) -> Void

  fileprivate struct State {
    var head: WebServiceResponse?
    var pieces: [(data: Data, proceed: @Sendable () -> Void)] = []
    var outcome: Result<WebServiceResponse, WebServiceError>?
    /// Lets the transport go on, once the reader comes back.
    var proceed: (@Sendable () -> Void)?
    var reader: Reader?

    mutating func takeSignal() -> Signal? {
      if let head {
        self.head = nil
        return .head(head)
      }
      if !pieces.isEmpty {
        let piece = pieces.removeFirst()
        proceed = piece.proceed
        return .piece(piece.data)
      }
      return outcome.map(Signal.end)
    }

    /// The reader who waits, and what it waits for.
    mutating func takeDelivery() -> (Reader, Signal)? {
      guard let reader, let signal = takeSignal() else { return nil }
      self.reader = nil
      return (reader, signal)
    }
  }

  private let state = Locked(State())

  /// Asks for the next signal, which tells that the piece before it has been dealt with. One reader waits at a time.
  func next(_ reader: @escaping Reader) {
    let (proceed, delivery) = state.withLock { state in
      state.reader = reader
      let proceed = state.proceed
      state.proceed = nil
      return (proceed, state.takeDelivery())
    }
    proceed?()
    if let (reader, signal) = delivery { reader(signal) }
  }

  func receive(head: WebServiceResponse) {
    change { state in
      guard state.outcome == nil else { return }
      state.head = head
    }
  }

  func receive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    change { state in
      guard state.outcome == nil else { return }
      state.pieces.append((piece, proceed))
    }
  }

  func close(then done: @escaping @Sendable (TransportError?) -> Void) {
    done(nil)
  }

  /// Ends the stream; after a failure, what the reader hasn't taken is dropped.
  func end(_ outcome: Result<WebServiceResponse, WebServiceError>) {
    change { state in
      state.outcome = outcome
      if case .failure = outcome { state.drop() }
    }
  }

  /// Drops what the reader hasn't taken.
  func drop() {
    change { $0.drop() }
  }

  private func change(_ body: (inout State) -> Void) {
    let delivery = state.withLock { state in
      body(&state)
      return state.takeDelivery()
    }
    if let (reader, signal) = delivery { reader(signal) }
  }
}

extension StreamRelay.State {
  fileprivate mutating func drop() {
    head = nil
    pieces = []
    proceed = nil
  }
}
