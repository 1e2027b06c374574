@testable import WebServicesTestSupport
@testable import WebServicesFormats

@Suite(.leavesNothing) struct MultipartBodyTests {
  private func text(_ parts: [MultipartBody.Part]) throws -> String {
    switch try MultipartBody(parts, boundary: "b").joined() {
    case .data(let data): String(decoding: data, as: UTF8.self)
    case .stream(let stream): String(decoding: try stream.content(inPiecesOf: 4096), as: UTF8.self)
    case .none, .file: ""
    }
  }

  private func stream(_ parts: [MultipartBody.Part]) throws -> JoinedBodyStream {
    guard case .stream(let stream as JoinedBodyStream) = try MultipartBody(parts).joined() else {
      throw POSIXError(.EINVAL)
    }
    return stream
  }

  private func reason(_ parts: [MultipartBody.Part]) -> RequestBodyError.Reason? {
    (Result { try MultipartBody(parts).joined() }.failure as? RequestBodyError)?.reason
  }

  @Test func formFollowsRFC7578() throws {
    let file = try TemporaryFile(Data("\r\n--".utf8), name: "Fötö 1.png")
    let parts: [MultipartBody.Part] = [
      .field("title", "Lünch\r\n"), .data("d", Data("x".utf8), fileName: "a.txt", contentType: "text/plain"),
      .file("f", file.url),
    ]
    expectEqual(
      try text(parts),
      "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nLünch\r\n\r\n"
        + "--b\r\nContent-Disposition: form-data; name=\"d\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n"
        + "\r\nx\r\n--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"Fötö 1.png\"\r\n"
        + "Content-Type: image/png\r\n\r\n\r\n--\r\n--b--\r\n")
    let named = try text([.file("f", file.url, fileName: "a.txt", contentType: "a/b")])
    #expect(named.contains("filename=\"a.txt\"\r\nContent-Type: a/b\r\n"))
    expectEqual(try text([]), "--b--\r\n")
    if case .data = try MultipartBody([.field("a", "b")]).joined() {} else { Issue.record("the body isn't in memory") }
    #expect(MultipartBody([]).boundary != MultipartBody([]).boundary)
    let boundary = MultipartBody([]).boundary
    #expect(boundary.hasPrefix("feather-") && boundary.utf8.count == 40 && boundary.suffix(32).allSatisfy(\.isHexDigit))
  }

  @Test func namesAreEscaped() throws {
    let body = try text([.data("a\"b\r\nX: 1", Data(), fileName: "ü\"\r\n\\.txt", contentType: "a/b")])
    #expect(body.contains("name=\"a%22b%0D%0AX: 1\"; filename=\"ü%22%0D%0A\\.txt\"\r\n"))
    for (name, escaped) in [("a\rb", "a%0Db"), ("a\nb", "a%0Ab")] {
      expectEqual(try text([.field(name, "")]).contains("name=\"\(escaped)\"\r\n"), true)
    }
  }

  @Test func invalidPartHeadsAndMissingFilesAreRefused() {
    let parts: [MultipartBody.Part] = [
      .field("a\0", ""), .field("a\u{1F}", ""), .field("a\u{7F}", ""), .data("a", Data(), fileName: "\u{1B}"),
      .data("a", Data(), contentType: "a/b\r\nX: 1"),
    ]
    for part in parts { expectEqual(reason([part]), .invalidPart) }
    expectEqual(reason([.file("f", URL(fileURLWithPath: "/no/such/file.txt"))]), .missingFile)
    expectEqual(reason([.field("a\t", "\0")]), nil)
  }

  @Test func lengthIsKnownFromTheParts() throws {
    let file = try TemporaryFile(Data(count: 1234))
    let parts: [MultipartBody.Part] = [
      .field("a", "ü"), .file("f", file.url), .field("password", "hunter2"),
      .stream("s", PieceStream(count: 99, length: 99)),
      .data("d", Data(count: 5)),
    ]
    let stream = try stream(parts)
    expectEqual(stream.length, try Int64(stream.content().count))
    let form: HTTPHeaders = ["Content-Type": "multipart/form-data; boundary=feather"]
    let request = TransportRequest(url: testURL("https://h/p"), headers: form, body: .stream(stream))
    expectEqual(Redaction.standard.hiding(secretsOf: request).text("it was hunter2"), "it was <redacted>")
    #expect(stream.isReplayable)
    expectEqual(stream.bytesInMemory(upTo: 300).count, 300)
    let endless = try self.stream(parts + [.stream("s", PieceStream(count: 1, length: nil, isReplayable: false))])
    #expect(endless.length == nil && !endless.isReplayable)
    let once = MultipartBody.Part.stream("s", PieceStream(count: 1, length: nil, isReplayable: false))
    for parts in [[once], parts + [once]] {
      let body = RequestBody.multipart(MultipartBody(parts))
      #expect(!body.isReplayable && !body.compressed().isReplayable)
    }
    let large = PieceStream(count: 1, length: .max)
    expectEqual(reason([.stream("s", large), .stream("s", large)]), .wrongLength)
    expectEqual(reason([.stream("s", PieceStream(count: 1, length: -1))]), .wrongLength)
  }

  /// Copies of the list of parts took minutes.
  @Test(.timeLimit(.minutes(3))) func manyPartsAreReadQuickly() throws {
    let fields = (0..<20_000).map { MultipartBody.Part.field("\($0)", "") }
    let stream = try stream(fields + [.stream("s", PieceStream(count: 9, length: 9))])
    expectEqual(try Int64(stream.content().count), stream.length)
  }

  @Test func partsInMemoryAreReadInPiecesOfAnySize() throws {
    let stream = try stream([.field("a", "b"), .stream("s", PieceStream(count: 9, length: 9)), .field("c", "d")])
    let whole = try stream.content()
    for size in 1...7 {
      let reader = try stream.makeReader()
      var read = Data()
      while case let piece = try reader.read(upTo: size), !piece.isEmpty {
        #expect(piece.count <= size)
        read += piece
      }
      expectEqual(read, whole)
      reader.close()
    }
  }

  @Test func partsAreOpenedInTurn() throws {
    let parts = (0..<3).map { _ in PieceStream(count: 300_000, length: 300_000) }
    let stream = try stream(parts.map { .stream("s", $0) })
    let reader = try stream.makeReader()
    expectEqual(parts.map(\.opened.count), [0, 0, 0])
    var count = 0
    while count < 400_000 { count += try reader.read(upTo: 10_000).count }
    expectEqual(parts.map(\.opened.count), [1, 1, 0])
    expectEqual(parts.map(\.closed.count), [1, 0, 0])
    reader.close()
    expectEqual(parts.map(\.closed.count), [1, 1, 0])
    #expect(try reader.read(upTo: 10).isEmpty)
    #expect(parts.allSatisfy { $0.largestPiece <= 10_000 })
  }

  /// An interruption comes while a part is opened, or while it is read.
  @Test(.timeLimit(.minutes(5)), arguments: [true, false])
  func interruptionEndsTheReadOfAPart(isOpening: Bool) async throws {
    let slow = SlowStream()
    let reader = try stream([.stream("s", slow)]).makeReader()
    let ends = Collector<Bool>()
    Thread.detachNewThread {
      // The first read gives the head of the part.
      _ = try? reader.read(upTo: 1000)
      ends.append((try? reader.read(upTo: 1000)) == nil)
    }
    await slow.opening.waitForElements(1)
    if !isOpening {
      slow.mayOpen.signal()
      await slow.reading.waitForElements(1)
    }
    (reader as? any InterruptibleBodyReader)?.interrupt()
    slow.mayOpen.signal()
    expectEqual(await ends.elements(1), [true])
    reader.close()
    expectEqual(slow.closed.count, 1)
  }

  @Test(arguments: [0, 5, 9, 11, 20])
  func wrongPartLengthFails(said: Int64) throws {
    let source = PieceStream(count: 10, length: said)
    let stream = try stream([.stream("s", source)])
    let error = #expect(throws: RequestBodyError.self) { try stream.content() }
    expectEqual(error?.reason, .wrongLength)
    expectEqual(source.closed.count, 1)
  }
}

/// A stream that takes time to open, and whose bytes come only after ten seconds.
private final class SlowStream: TransportBody.Stream {
  let length: Int64? = nil
  let isReplayable = false
  let opening = Collector<Void>()
  let reading = Collector<Void>()
  let closed = Collector<Void>()
  let mayOpen = DispatchSemaphore(value: 0)

  func makeReader() throws -> any TransportBody.Reader {
    opening.add()
    mayOpen.wait()
    return Reader(reading: reading, closed: closed)
  }

  private final class Reader: InterruptibleBodyReader {
    private let reading: Collector<Void>
    private let closed: Collector<Void>
    private let interruption = DispatchSemaphore(value: 0)

    init(reading: Collector<Void>, closed: Collector<Void>) { (self.reading, self.closed) = (reading, closed) }

    func read(upTo count: Int) throws -> Data {
      reading.add()
      if interruption.wait(timeout: .now() + 10) == .success { throw CancellationError() }
      return Data("late".utf8)
    }

    func interrupt() { interruption.signal() }

    func close() { closed.add() }
  }
}
