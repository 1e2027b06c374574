import Foundation

#if os(Linux)
  internal import CurlShim
#elseif canImport(Compression)
  import Compression
#endif

/// Compresses pieces into one gzip (RFC 1952). One thread at a time uses it.
protocol GzipCompressor: AnyObject {
  /// Returns the compressed bytes that are ready, which may be none. The gzip ends after a piece with `isLast`.
  func compress(_ piece: Data, isLast: Bool) throws(RequestBodyError) -> Data
}

/// The system's gzip, if there is one.
enum Gzip {
  typealias Factory = @Sendable () throws(RequestBodyError) -> any GzipCompressor

  static let failure = RequestBodyError(.compression, "the system's compression failed")
  /// The size of the buffer for the bytes of one call.
  fileprivate static let bufferSize = 32 * 1024

  #if os(Linux)
    static let makeCompressor: Factory? = deflateShimIsAvailable() ? makeZlibCompressor : nil

    @Sendable private static func makeZlibCompressor() throws(RequestBodyError) -> any GzipCompressor {
      try ZlibCompressor()
    }
  #elseif canImport(Compression)
    static let makeCompressor: Factory? = makeFrameworkCompressor

    @Sendable private static func makeFrameworkCompressor() throws(RequestBodyError) -> any GzipCompressor {
      try FrameworkCompressor()
    }
  #else
    static let makeCompressor: Factory? = nil
  #endif
}

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

#if os(Linux)
  private final class ZlibCompressor: GzipCompressor {
    private let stream: UnsafeMutableRawPointer

    init() throws(RequestBodyError) {
      guard let stream = deflateShimMake() else { throw Gzip.failure }
      self.stream = stream
    }

    deinit {
      deflateShimFree(stream)
    }

    func compress(_ piece: Data, isLast: Bool) throws(RequestBodyError) -> Data {
      var output = Data()
      var buffer = [UInt8](repeating: 0, count: Gzip.bufferSize)
      let result = piece.withUnsafeBytes { input in
        var left = input.count
        while true {
          var written = buffer.count
          let start = input.baseAddress?.advanced(by: input.count - left)
          let result = deflateShimRun(stream, start, &left, &buffer, &written, isLast)
          output.append(contentsOf: buffer[..<written])
          let isDone = !isLast && left == 0 && written < buffer.count
          if isDone || result != deflateShimGoesOn { return result }
        }
      }
      guard result != deflateShimFailed else { throw Gzip.failure }
      return output
    }
  }
#elseif canImport(Compression)
  /// The framework deflates; the frame around that is ours.
  private final class FrameworkCompressor: GzipCompressor {
    private let stream: UnsafeMutablePointer<compression_stream>
    private var frame = GzipFrame()

    init() throws(RequestBodyError) {
      stream = .allocate(capacity: 1)
      guard compression_stream_init(stream, COMPRESSION_STREAM_ENCODE, COMPRESSION_ZLIB) == COMPRESSION_STATUS_OK
      else {
        stream.deallocate()
        throw Gzip.failure
      }
      stream.pointee.src_size = 0
    }

    deinit {
      compression_stream_destroy(stream)
      stream.deallocate()
    }

    func compress(_ piece: Data, isLast: Bool) throws(RequestBodyError) -> Data {
      var output = frame.begin()
      frame.add(piece)
      guard deflate(piece, isLast: isLast, into: &output) else { throw Gzip.failure }
      if isLast { output += frame.trailer }
      return output
    }

    private func deflate(_ piece: Data, isLast: Bool, into output: inout Data) -> Bool {
      var buffer = [UInt8](repeating: 0, count: Gzip.bufferSize)
      let flags = isLast ? Int32(COMPRESSION_STREAM_FINALIZE.rawValue) : 0
      // The source must not be null, also where it is empty.
      let input = piece.isEmpty ? [0] : [UInt8](piece)
      return input.withUnsafeBufferPointer { input in
        buffer.withUnsafeMutableBufferPointer { buffer in
          guard let start = input.baseAddress, let room = buffer.baseAddress else { return false }
          stream.pointee.src_ptr = start
          stream.pointee.src_size = piece.count
          while true {
            stream.pointee.dst_ptr = room
            stream.pointee.dst_size = buffer.count
            let status = compression_stream_process(stream, flags)
            output.append(room, count: buffer.count - stream.pointee.dst_size)
            if status == COMPRESSION_STATUS_END { return true }
            guard status == COMPRESSION_STATUS_OK else { return false }
            if !isLast, stream.pointee.src_size == 0, stream.pointee.dst_size > 0 { return true }
          }
        }
      }
    }
  }
#endif

/// The header and the trailer around deflated data in a gzip (RFC 1952, section 2.3), for Apple's systems, whose compression
/// leaves them out.
struct GzipFrame {
  private var hasBegun = false
  private var checksum = ~UInt32(0)
  private var count: UInt32 = 0

  /// The header at the first call; empty data after it.
  mutating func begin() -> Data {
    guard !hasBegun else { return Data() }
    hasBegun = true
    // Method deflate; no flags, time or extra; system unknown.
    return Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
  }

  /// Adds a piece to the checksum and the length.
  mutating func add(_ piece: Data) {
    count &+= UInt32(truncatingIfNeeded: piece.count)
    for byte in piece {
      checksum = Self.table[Int((checksum ^ UInt32(byte)) & 0xFF)] ^ (checksum >> 8)
    }
  }

  /// The checksum and the length, which follow the deflated data.
  var trailer: Data {
    Data([~checksum, count].flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } })
  }

  /// The checksum of each byte (RFC 1952, section 8).
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }
}
