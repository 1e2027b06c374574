#if os(Linux)
  @testable import WebServicesTransport
  @testable import WebServicesTestSupport

  /// The content that the tests compress.
  enum CodedContent {
    /// The text `feather 0 feather 1 …`, up to 399.
    static let text = Data((0..<400).map { "feather \($0) " }.joined().utf8)
  }

  /// The decoder alone, without a transport.
  struct ContentDecoderTests {
    private typealias Outcome = (content: Data, isAtEnd: Bool, hasFailed: Bool)

    private func decode(_ data: Data, _ coding: ContentCoding, pieces size: Int = 1 << 20) throws -> Outcome {
      let decoder = try #require(ContentDecoder(coding))
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
      defer { room.deallocate() }
      var content = Data()
      for start in stride(from: 0, to: data.count, by: size) {
        let hasFailed = Data(data.dropFirst(start).prefix(size)).withUnsafeBytes { bytes in
          var bytes = bytes
          while true {
            switch decoder.step(&bytes, into: room) {
            case .bytes(let count): content.append(contentsOf: room[..<count])
            case .needsInput: return false
            case .failed: return true
            }
          }
        }
        if hasFailed { return (content, decoder.isAtEnd, true) }
      }
      return (content, decoder.isAtEnd, false)
    }

    private var text: Data { CodedContent.text }
    private var gzip: Data { Compression.gzip(CodedContent.text) }

    private func expectText(_ data: Data, _ coding: ContentCoding) throws {
      for size in [1, 7, 1 << 20] {
        let outcome = try decode(data, coding, pieces: size)
        #expect(outcome.content == text && outcome.isAtEnd && !outcome.hasFailed)
      }
    }

    @Test func everyCodingIsDecodedInPiecesOfAnySize() throws {
      try expectText(gzip, .gzip)
      try expectText(Compression.zlib(text), .deflate)
      try expectText(Compression.rawDeflate(text), .deflate)
    }

    @Test func bytesAfterTheEndAreIgnored() throws {
      for garbage in [Data([0]), Data("garbage".utf8), Data(repeating: 0, count: 100_000)] {
        try expectText(gzip + garbage, .gzip)
        try expectText(Compression.zlib(text) + garbage, .deflate)
      }
      // The input begins like a gzip member, so it must be a valid one.
      #expect(try decode(gzip + Data([0x1F, 0x8B, 0, 0]), .gzip).hasFailed)
    }

    @Test(arguments: ContentCoding.allCases)
    func cutOffStreamsAndGarbageAreNotWhole(_ coding: ContentCoding) throws {
      let whole = coding == .gzip ? gzip : Compression.zlib(text)
      for count in [1, 2, 3, 11, 100, whole.count / 2, whole.count - 1] {
        let outcome = try decode(whole.prefix(count), coding)
        #expect(!outcome.isAtEnd && !outcome.hasFailed && text.starts(with: outcome.content))
      }
      #expect(try decode(Data(), coding).isAtEnd)
      #expect(try decode(Data(repeating: 0xFF, count: 1000), coding).hasFailed)
    }

    @Test(.disabled(if: UsedMemory.includesFreed), arguments: ContentCoding.allCases)
    func releasedDecoderFreesItsState(_ coding: ContentCoding) throws {
      let before = try UsedMemory.pages()
      for _ in 0..<20_000 {
        let decoder = try #require(ContentDecoder(coding))
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { room in
          withUnsafeBytes(of: UInt8(0x78)) { byte in
            var byte = byte
            _ = decoder.step(&byte, into: room)
          }
        }
      }
      // A state has at least two pages. Other tests allocate meanwhile.
      #expect(try UsedMemory.pages() < before + 20_000)
    }

    @Test(arguments: [
      ("gzip", ContentCoding.gzip), ("X-GZip", .gzip), (" deflate ", .deflate), ("identity", nil), ("", nil),
      ("gzip,identity", .gzip), ("zstd", nil), ("gzip, feather", nil), ("feather, gzip", nil), ("utf-8", nil),
      ("gzip, br", nil), (String(repeating: "gzip,", count: 99), nil),
    ])
    func headerFieldNamesTheCoding(_ value: String, _ coding: ContentCoding?) {
      expectEqual(ContentCoding.coding(of: ["content-encoding": value]), coding)
    }
  }
#endif
