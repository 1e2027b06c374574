#if os(Linux)
  internal import CurlShim

  /// A compression of a response's content, as `Content-Encoding` names it (RFC 9110, section 8.4.1).
  enum ContentCoding: Int32, CaseIterable, Sendable {
    case gzip
    case deflate
    case brotli
    case zstd

    /// The most codings of a response that are decoded. Each coding multiplies the size that a few bytes can become.
    static let mostAtOnce = 2

    /// The codings that this machine can decode, as the value of `Accept-Encoding`; `nil` for none.
    static let accepted: String? = {
      let names = allCases.filter(\.isAvailable).map(\.name)
      return names.isEmpty ? nil : names.joined(separator: ", ")
    }()

    /// The codings of a `Content-Encoding` in the order in which they were applied, without `identity`.
    ///
    /// The result is empty if there is nothing to decode, a coding is unknown, or there are too many. The content is
    /// then passed on unchanged, as in browsers.
    static func codings(of fields: [HTTPHeaders.Field]) -> [ContentCoding] {
      var codings: [ContentCoding] = []
      for field in fields where field.name.equalsIgnoringASCIICase("Content-Encoding") {
        // A server may send any number of commas. The text after the eighth one is an unknown coding.
        for part in field.value.split(separator: ",", maxSplits: 8) {
          let name = part.filter { $0 != " " && $0 != "\t" }
          if name.isEmpty || name.equalsIgnoringASCIICase("identity") { continue }
          guard let coding = ContentCoding(name: name), coding.isAvailable, codings.count < mostAtOnce else {
            return []
          }
          codings.append(coding)
        }
      }
      return codings
    }

    var name: String {
      switch self {
      case .gzip: "gzip"
      case .deflate: "deflate"
      case .brotli: "br"
      case .zstd: "zstd"
      }
    }

    /// Whether a library for the coding was found.
    var isAvailable: Bool { decodeShimCan(rawValue) }

    private init?(name: String) {
      // RFC 9110, section 8.4.1.3: a recipient treats `x-gzip` as `gzip`.
      let isOldName = name.equalsIgnoringASCIICase("x-gzip")
      let coding = isOldName ? .gzip : Self.allCases.first { name.equalsIgnoringASCIICase($0.name) }
      guard let coding else { return nil }
      self = coding
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
    /// The size of the buffer between two codings.
    fileprivate static let bufferSize = 16 * 1024

    /// The coding that was applied last comes first.
    private let stages: [Stage]

    /// `nil` if there is nothing to decode, or no memory.
    init?(_ codings: [ContentCoding]) {
      var stages: [Stage] = []
      for coding in codings.reversed() {
        guard let stage = Stage(coding, hasInput: !stages.isEmpty) else { return nil }
        stages.append(stage)
      }
      guard !stages.isEmpty else { return nil }
      self.stages = stages
    }

    /// Whether the content may end here. Content without a byte is whole.
    var isAtEnd: Bool { stages.allSatisfy { $0.isAtEnd } }

    /// Runs one of the codings once.
    ///
    /// - Parameters:
    ///   - input: coded bytes. The consumed bytes are removed from the front.
    ///   - output: the buffer for the decoded bytes; not empty.
    func step(_ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Step {
      // The last stage with pending bytes runs first. Its successor has consumed its buffer, which can be filled again.
      guard let index = stages.lastIndex(where: { $0.hasMore }) ?? (input.isEmpty ? nil : 0) else { return .needsInput }
      let stage = stages[index]
      let isLast = index == stages.count - 1
      let room = isLast ? output : stages[index + 1].input
      let count = index == 0 ? stage.run(&input, into: room) : stage.run(into: room)
      guard let count else { return .failed }
      if !isLast { stages[index + 1].waiting = 0..<count }
      return .bytes(isLast ? count : 0)
    }
  }

  /// Undoes one coding. The output of a stage is the input of the next stage.
  private final class Stage {
    /// The bytes that the stage before has decoded; empty for the first.
    let input: UnsafeMutableRawBufferPointer
    /// The range of `input` that isn't consumed yet.
    var waiting = 0..<0
    private let stream: UnsafeMutableRawPointer
    /// Whether the output buffer was filled the last time. The stream may then have more output without any input.
    private var wasFilled = false
    /// `true` at first, because content without a byte is whole.
    private(set) var isAtEnd = true

    init?(_ coding: ContentCoding, hasInput: Bool) {
      guard let stream = decodeShimMake(coding.rawValue) else { return nil }
      self.stream = stream
      // The first stage reads libcurl's buffer directly.
      input = .allocate(byteCount: hasInput ? ContentDecoder.bufferSize : 0, alignment: 1)
    }

    deinit {
      decodeShimFree(stream)
      input.deallocate()
    }

    var hasMore: Bool { wasFilled || !waiting.isEmpty }

    /// Decodes waiting bytes; `nil` if they are invalid.
    func run(into output: UnsafeMutableRawBufferPointer) -> Int? {
      var bytes = UnsafeRawBufferPointer(rebasing: input[waiting])
      let count = run(&bytes, into: output)
      waiting = (waiting.upperBound - bytes.count)..<waiting.upperBound
      return count
    }

    /// Decodes these bytes, and removes the consumed ones from the front; `nil` if the bytes are invalid.
    func run(_ bytes: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
      guard let room = output.baseAddress else { return nil }
      var left = bytes.count
      var written = output.count
      let result = decodeShimRun(stream, bytes.baseAddress, &left, room, &written)
      bytes = UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - left)...])
      wasFilled = written == output.count
      isAtEnd = result == decodeShimEnd
      return result == decodeShimFailed ? nil : written
    }
  }
#endif
