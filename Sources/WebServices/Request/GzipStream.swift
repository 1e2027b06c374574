import Foundation

/// Compresses a stream while it is sent.
struct GzipStream: DisclosingBodyStream {
  private let source: any TransportBodyStream
  private let makeCompressor: Gzip.Factory

  var length: Int64? { nil }
  var isReplayable: Bool { source.isReplayable }
  var disclosure: BodyDisclosure { .original(.stream(source)) }

  init(_ source: any TransportBodyStream, by makeCompressor: @escaping Gzip.Factory) {
    self.source = source
    self.makeCompressor = makeCompressor
  }

  func makeReader() throws -> any TransportBodyReader {
    GzipReader(compressor: try makeCompressor(), source: try CountedReader(source))
  }
}

/// Bytes that were compressed in memory.
struct GzippedData: DisclosingBodyStream {
  private let compressed: Data
  private let original: Data

  var length: Int64? { Int64(compressed.count) }
  var isReplayable: Bool { true }
  var disclosure: BodyDisclosure { .original(.data(original)) }

  init(_ original: Data, by makeCompressor: Gzip.Factory) throws(RequestBodyError) {
    self.original = original
    compressed = try makeCompressor().compress(original, isLast: true)
  }

  func makeReader() throws -> any TransportBodyReader {
    JoinedBodyReader([.bytes(compressed)])
  }
}

/// Compresses the pieces of a stream. The calls come one at a time; the lock passes the state from one to the next.
private final class GzipReader: TransportBodyReader, @unchecked Sendable {
  private static let pieceSize = 64 * 1024

  // Not `Sendable`: the calls that `state` orders use it.
  private let compressor: any GzipCompressor
  private let source: CountedReader
  private let state = Locked((compressed: Data(), isAtEnd: false))

  init(compressor: any GzipCompressor, source: CountedReader) {
    self.compressor = compressor
    self.source = source
  }

  func read(upTo count: Int) throws -> Data {
    guard count > 0 else { return Data() }
    var (compressed, isAtEnd) = state.withLock { $0 }
    while compressed.isEmpty, !isAtEnd {
      let piece = try source.read(upTo: Self.pieceSize)
      isAtEnd = piece.isEmpty
      compressed = try compressor.compress(piece, isLast: isAtEnd)
    }
    let rest = (compressed.dropFirst(count), isAtEnd)
    state.withLock { $0 = rest }
    return compressed.prefix(count)
  }

  func close() { source.close() }
}
