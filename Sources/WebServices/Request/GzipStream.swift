import Foundation

/// Compresses another stream while it is sent.
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

/// `lock` guards all that varies.
private final class GzipReader: TransportBodyReader, @unchecked Sendable {
  private static let pieceSize = 64 * 1024

  private let lock = NSLock()
  private let compressor: any GzipCompressor
  private let source: CountedReader
  private var compressed = Data()
  private var isAtEnd = false
  private var isClosed = false

  init(compressor: any GzipCompressor, source: CountedReader) {
    self.compressor = compressor
    self.source = source
  }

  func read(upTo count: Int) throws -> Data {
    lock.lock()
    defer { lock.unlock() }
    guard count > 0, !isClosed else { return Data() }
    while compressed.isEmpty, !isAtEnd {
      let piece = try source.read(upTo: Self.pieceSize)
      isAtEnd = piece.isEmpty
      compressed = try compressor.compress(piece, isLast: isAtEnd)
    }
    let part = compressed.prefix(count)
    compressed = compressed.dropFirst(count)
    return part
  }

  func close() {
    lock.lock()
    defer { lock.unlock() }
    if !isClosed { source.close() }
    isClosed = true
  }
}
