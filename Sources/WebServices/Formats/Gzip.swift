import Foundation
internal import CurlShim

/// Compresses pieces into one gzip (RFC 1952) with the system's zlib. One thread at a time uses it.
final class GzipCompressor {
  private static let failure = RequestBodyError(.compression, "the system's compression failed")

  private let stream: UnsafeMutableRawPointer

  init() throws(RequestBodyError) {
    guard let stream = deflateShimMake() else { throw Self.failure }
    self.stream = stream
  }

  deinit { deflateShimFree(stream) }

  /// Compresses a piece, and returns the bytes that are ready, possibly none. zlib holds bytes back to find
  /// repetitions. The gzip ends after a piece with `isLast`.
  func compress(_ piece: Data, isLast: Bool) throws(RequestBodyError) -> Data {
    var output = Data()
    var buffer = [UInt8](repeating: 0, count: min(max(1024, piece.count), 32 * 1024))
    let result = piece.withUnsafeBytes { input in
      var left = input.count
      while true {
        var written = buffer.count
        let start = input.baseAddress?.advanced(by: input.count - left)
        let result = deflateShimRun(stream, start, &left, &buffer, &written, isLast)
        output.append(contentsOf: buffer[..<written])
        // A full buffer means that zlib may have more output. The last piece is done only when zlib says so.
        let isDone = !isLast && written < buffer.count
        if isDone || result != zlibShimGoesOn { return result }
      }
    }
    guard result != zlibShimFailed else { throw Self.failure }
    return output
  }
}

/// Compresses a stream while it is sent.
struct GzipStream: TransportBody.Stream {
  let source: any TransportBody.Stream

  /// `nil`, because the length is known only after compression. The body is sent in chunks.
  var length: Int64? { nil }
  var isReplayable: Bool { source.isReplayable }

  func makeReader() throws -> any TransportBody.Reader {
    GzipReader(compressor: try GzipCompressor(), source: try CountedReader(source))
  }
}

/// Compresses the pieces of a stream. The calls come one at a time; the lock passes the state from one to the next.
private struct GzipReader: InterruptibleBodyReader, @unchecked Sendable {
  private static let pieceSize = 64 * 1024

  // Not `Sendable`: the lock of `state` orders all calls.
  let compressor: GzipCompressor
  let source: CountedReader
  /// Compressed bytes that no call has returned yet, and whether the source has ended.
  private let state = Locked((compressed: Data(), isAtEnd: false))

  func read(upTo count: Int) throws -> Data {
    // The lock isn't held while the source reads, which may run an app's code.
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

  func interrupt() { source.interrupt() }
}

extension RequestBody {
  /// Whether ``compressed()`` compresses: always on Apple's systems, and on Linux if there is a `libz.so.1`.
  public static var canCompress: Bool { zlibShimIsAvailable() }

  /// Compresses the body as gzip, with `Content-Encoding: gzip`, for servers that accept it. A system that can't
  /// compress (see ``canCompress``) sends the body unchanged.
  ///
  /// Bytes in memory are compressed when the request is described. Files and streams are compressed piece by piece
  /// while they are sent. Their length isn't known in advance, so they are sent in chunks.
  public func compressed() -> RequestBody { compressed(ifPossible: Self.canCompress) }

  func compressed(ifPossible canCompress: Bool) -> RequestBody {
    guard canCompress else { return self }
    return RequestBody(contentType: contentType, isReplayable: isReplayable, compress: Self.gzip, content: content)
  }

  private static func gzip(_ body: TransportBody) throws -> TransportBody {
    switch body {
    case .none: .none
    case .data(let data): .data(try GzipCompressor().compress(data, isLast: true))
    case .file(let url): .stream(GzipStream(source: try FileBodyStream(url)))
    case .stream(let stream): .stream(GzipStream(source: stream))
    }
  }
}
