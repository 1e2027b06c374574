#if os(Linux)
  internal import CurlShim

  /// A compression of a response's content, as `Content-Encoding` names it (RFC 9110, section 8.4.1).
  enum ContentCoding: String, CaseIterable, Sendable {
    case gzip
    case deflate

    /// The codings as the value of `Accept-Encoding`; `nil` without zlib.
    static let accepted = zlibShimIsAvailable() ? allCases.map(\.rawValue).joined(separator: ", ") : nil

    /// The coding of the content.
    ///
    /// - Returns: `nil` if there is nothing to decode, the coding is unknown, or there are several. The content is then
    ///   passed on unchanged.
    static func coding(of headers: HTTPHeaders) -> ContentCoding? {
      let names = headers.contentCodings
      guard names.count == 1 else { return nil }
      // RFC 9110, section 8.4.1.3: a recipient treats `x-gzip` as `gzip`.
      return ContentCoding(rawValue: names[0] == "x-gzip" ? "gzip" : names[0])
    }
  }

  /// Decompresses one response's content, a bounded piece at a time. Call `step` until it needs input, and check
  /// `isAtEnd` when the response ends. Only the thread that drives libcurl uses a decoder.
  final class ContentDecoder {
    /// The result of one call of `step`.
    enum Step: Equatable {
      /// This many bytes of content were decoded, possibly none. There may be more.
      case bytes(Int)
      /// All bytes that arrived so far are decoded.
      case needsInput
      case failed
    }

    /// The most bytes that one step makes.
    static let pieceSize = 64 * 1024

    private let stream: UnsafeMutableRawPointer
    /// Whether the output buffer was filled the last time. The stream may then have more output without any input.
    private var wasFilled = false
    /// Whether the content may end here. Content without a byte is whole.
    private(set) var isAtEnd = true
    /// How many bytes are decoded of the piece that libcurl keeps and will give again.
    var taken = 0
    /// Whether the loop continues with the decoding in its next turn.
    var isListed = false

    /// `nil` without memory.
    init?(_ coding: ContentCoding) {
      guard let stream = decodeShimMake(coding == .deflate) else { return nil }
      self.stream = stream
    }

    deinit { decodeShimFree(stream) }

    /// Decodes some bytes.
    ///
    /// - Parameters:
    ///   - input: coded bytes. The consumed bytes are removed from the front.
    ///   - output: the buffer for the decoded bytes; not empty.
    func step(_ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Step {
      guard wasFilled || !input.isEmpty else { return .needsInput }
      guard let room = output.baseAddress else { return .failed }
      var left = input.count
      var written = output.count
      let result = decodeShimRun(stream, input.baseAddress, &left, room, &written)
      input = UnsafeRawBufferPointer(rebasing: input[(input.count - left)...])
      wasFilled = written == output.count
      isAtEnd = result == zlibShimEnd
      return result == zlibShimFailed ? .failed : .bytes(written)
    }
  }
#endif
