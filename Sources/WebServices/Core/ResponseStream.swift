public import Foundation

/// An answer that is read while it comes. It can be iterated once; the transport reads no further than the loop has come.
///
/// Leaving the loop, cancelling the Swift task or dropping the stream ends the request. Whatever goes wrong is thrown as
/// a `WebServiceError`.
public struct ResponseStream<Element: Sendable>: AsyncSequence, Sendable {
  /// Status and headers of the answer; its `body` is empty.
  public let response: WebServiceResponse
  private let source: any StreamSource
  private let format: StreamFormat<Element>
  private let decoder: JSONDecoder

  init(response: WebServiceResponse, source: any StreamSource, format: StreamFormat<Element>, decoder: JSONDecoder) {
    self.response = response
    self.source = source
    self.format = format
    self.decoder = decoder
  }

  /// Creates a stream of bytes that are there already, for fakes.
  public init(
    response: WebServiceResponse, pieces: [Data], format: StreamFormat<Element>, decoder: JSONDecoder = JSONDecoder()
  ) {
    self.init(response: response, source: PieceSource(pieces), format: format, decoder: decoder)
  }

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, decoder: format.makeDecoder(decoder), isFirst: source.claim())
  }

  /// Gives one element after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let source: any StreamSource
    private let decoder: StreamFormat<Element>.Decoder
    /// Ends the request with the last copy of the iterator, also where the stream itself is still held.
    private let end: StreamEnd?
    private var isOver = false

    init(source: any StreamSource, decoder: StreamFormat<Element>.Decoder, isFirst: Bool) {
      self.source = source
      self.decoder = decoder
      end = isFirst ? StreamEnd(of: source) : nil
    }

    /// The next element; `nil` at the end of the stream. Throws a `WebServiceError`.
    public mutating func next() async throws -> Element? {
      guard end != nil else { throw WebServiceError(.unexpected, message: "a stream can be iterated once") }
      while true {
        // Once the request has been ended from outside, its end is all that is given.
        if !source.isInterrupted, let element = try decodeNext() { return element }
        guard !isOver else { return nil }
        try await readNextPiece()
      }
    }

    private mutating func decodeNext() throws -> Element? {
      do {
        return try decoder.next()
      } catch {
        isOver = true
        throw source.fail(error)
      }
    }

    private mutating func readNextPiece() async throws {
      isOver = true
      guard let piece = try await source.next() else { return decoder.finish() }
      isOver = false
      decoder.append(piece)
    }
  }
}

/// Where a stream's bytes come from.
protocol StreamSource: Sendable {
  /// Whether this is the first to read.
  func claim() -> Bool
  /// The next piece; `nil` at the end.
  func next() async throws(WebServiceError) -> Data?
  /// Whether something has ended the request from outside: what came before is not to be delivered any more.
  var isInterrupted: Bool { get }
  /// Ends the request since its bytes can't be decoded, and tells it.
  func fail(_ error: any Error) -> WebServiceError
  /// Ends the request, as far as it hasn't ended.
  func close()
}

/// Closes a stream's source when the one iterator that reads it is gone.
private final class StreamEnd: Sendable {
  private let source: any StreamSource

  init(of source: any StreamSource) {
    self.source = source
  }

  deinit {
    source.close()
  }
}

/// Bytes that are there already.
private final class PieceSource: StreamSource {
  private let pieces: Locked<(rest: [Data], isClaimed: Bool)>

  init(_ pieces: [Data]) {
    self.pieces = Locked((pieces.reversed(), false))
  }

  func claim() -> Bool {
    pieces.withLock { pieces in
      defer { pieces.isClaimed = true }
      return !pieces.isClaimed
    }
  }

  func next() async -> Data? { pieces.withLock { $0.rest.popLast() } }

  var isInterrupted: Bool { false }

  func close() { pieces.withLock { $0.rest = [] } }

  func fail(_ error: any Error) -> WebServiceError {
    WebServiceError(.undecodableBody, phase: .read, underlying: error)
  }
}
