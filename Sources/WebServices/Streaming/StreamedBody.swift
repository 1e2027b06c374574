import Foundation

/// Queues the parts of a streamed response between the transport and one reader. It is a value without a lock:
/// `StreamedBody` guards it, and calls permits and readers after unlocking.
///
/// The reader reads the head, then pieces, then the end. The transport may continue after a piece once the reader
/// requests the next part.
struct BodyQueue: Sendable {
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

  private var parts: [(part: Part, permit: Permit?)] = []
  private var outcome: Result<WebServiceResponse, WebServiceError>?
  /// The permit of the piece that the reader took last.
  private var permit: Permit?
  private var reader: Reader?

  mutating func add(_ part: Part, permit: Permit? = nil) {
    if outcome == nil { parts.append((part, permit)) }
  }

  /// Adds the end. A failure drops the parts that wait.
  mutating func end(_ outcome: Result<WebServiceResponse, WebServiceError>) -> [Permit] {
    self.outcome = outcome
    if case .failure = outcome { return drop() }
    return []
  }

  /// Drops all parts but the end.
  ///
  /// - Returns: the permits of the dropped pieces, to release after unlocking. They aren't called, because the transfer
  ///   has ended.
  mutating func drop() -> [Permit] {
    defer { (parts, permit) = ([], nil) }
    return (parts.map(\.permit) + [permit]).compactMap { $0 }
  }

  /// Requests the next part for the reader.
  ///
  /// - Returns: the permit of the piece before it, to call after unlocking.
  mutating func requestNext(for reader: @escaping Reader) -> Permit? {
    self.reader = reader
    defer { permit = nil }
    return permit
  }

  /// The reader that waits and its part, if there are both.
  mutating func takeDelivery() -> (reader: Reader, part: Part)? {
    guard let reader, !parts.isEmpty || outcome != nil else { return nil }
    self.reader = nil
    guard !parts.isEmpty else { return outcome.map { (reader, .end($0)) } }
    let next = parts.removeFirst()
    permit = next.permit
    return (reader, next.part)
  }
}

/// Passes a streamed body from the transport to one reader, which calls `next`. It calls the reader and the transport
/// after unlocking.
final class StreamedBody: ResponseSink {
  /// Guards the parts and the reader that waits.
  private let queue = Locked(BodyQueue())

  let isStream = true

  /// Asks for the next part. One reader waits at a time.
  func next(_ reader: @escaping BodyQueue.Reader) {
    change { $0.requestNext(for: reader) }?()
  }

  func begin(_ head: WebServiceResponse, transfer: Int, fail: @escaping @Sendable (TransportError) -> Void) {
    // A stream that has begun is never sent again, so there is no other transfer to tell apart.
    change { $0.add(.head(head)) }
  }

  func receive(_ piece: Data, transfer: Int, proceed: @escaping @Sendable () -> Void) {
    change { $0.add(.piece(piece), permit: proceed) }
  }

  /// The request has ended. A failure drops the parts that the reader hasn't taken.
  func end(_ outcome: Result<WebServiceResponse, WebServiceError>) {
    _ = change { $0.end(outcome) }
  }

  func drop() {
    _ = change { $0.drop() }
  }

  /// Changes the queue, and passes a part to the reader if both are there.
  private func change<Output>(_ body: (inout BodyQueue) -> Output) -> Output {
    let (output, delivery) = queue.withLock { (body(&$0), $0.takeDelivery()) }
    // The reader waits, so no other part can overtake this one.
    if let delivery { delivery.reader(delivery.part) }
    return output
  }
}

extension StreamedBody {
  func prepare(_ request: inout TransportRequest) {}

  func end(transfer: Int, then done: @escaping @Sendable (TransportError?) -> Void) { done(nil) }

  func canResume(after error: TransportError, method: HTTPMethod) -> Bool { false }
}
