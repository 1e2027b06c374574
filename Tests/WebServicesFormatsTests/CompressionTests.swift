@testable import WebServicesTestSupport
@testable import WebServicesFormats

@Suite(.enabled(if: RequestBody.canCompress, "the system has no zlib"), .timeLimit(.minutes(5)))
struct CompressionTests {
  private func content(_ body: RequestBody) throws -> TransportBody {
    let plain = try body.content(WebServiceConfiguration())
    return try body.compress?(plain) ?? plain
  }

  private func bytes(_ body: RequestBody) throws -> Data {
    switch try content(body) {
    case .data(let data): data
    case .stream(let stream): try stream.content(inPiecesOf: 777)
    default: Data()
    }
  }

  @Test(arguments: [0, 1, 300_000])
  func gzipFrameIsSmaller(count: Int) throws {
    let original = Data(repeating: 7, count: count)
    let compressed = try bytes(.data(original, contentType: "a/b").compressed())
    expectEqual(Array(compressed.prefix(3)), [0x1F, 0x8B, 8])
    #expect(count < 1000 || compressed.count < count / 100)
  }

  @Test(.enabled(if: TLSLoopback.unavailability == nil, "there is no python3 to read it back"))
  func pythonReadsTheGzip() async throws {
    var generator = Chance(seed: 5)
    let noise = Data((0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let file = try TemporaryFile(pattern(1_000_000) + noise)
    let bodies: [(RequestBody, Data)] = [
      (.text("ü"), Data("ü".utf8)), (.data(noise, contentType: "a/b"), noise), (.text(""), Data()),
      (.file(file.url), try Data(contentsOf: file.url)),
      (.stream(PieceStream(count: 200_000, length: nil), contentType: "a/b"), pattern(200_000)),
      (.stream(PieceStream(count: 0, length: 0), contentType: "a/b"), Data()),
    ]
    for (body, original) in bodies {
      let compressed = try TemporaryFile(try bytes(body.compressed()))
      let script = "import gzip, sys; sys.stdout.buffer.write(gzip.decompress(open(sys.argv[1], 'rb').read()))"
      let arguments = ["python3", "-I", "-c", script, compressed.url.path]
      expectEqual(try await EndedProcess.run(URL(fileURLWithPath: "/usr/bin/env"), arguments).output, original)
    }
  }

  @Test func streamIsCompressedInPieces() throws {
    let source = PieceStream(count: 3_000_000, length: 3_000_000)
    guard case .stream(let stream) = try content(.stream(source, contentType: "a/b").compressed()) else {
      Issue.record("not a stream")
      return
    }
    #expect(stream.length == nil && stream.isReplayable)
    let once = try stream.content(inPiecesOf: 65_536)
    expectEqual(try stream.content(inPiecesOf: 100), once)
    #expect(source.largestPiece <= 65_536)
    #expect(source.opened.count == 2 && source.closed.count == 2)
    #expect(!GzipStream(source: PieceStream([], isReplayable: false)).isReplayable)
  }

  @Test func interruptionReachesTheSource() throws {
    struct Source: TransportBody.Stream, InterruptibleBodyReader {
      let interrupted = Collector<Void>()
      var length: Int64? { nil }
      var isReplayable: Bool { true }
      func makeReader() -> any TransportBody.Reader { self }
      func read(upTo count: Int) -> Data { Data() }
      func interrupt() { interrupted.add() }
      func close() {}
    }
    let source = Source()
    (try GzipStream(source: source).makeReader() as? any InterruptibleBodyReader)?.interrupt()
    expectEqual(source.interrupted.count, 1)
  }

  @Test func bodyIsCompressedOnce() throws {
    let body = RequestBody.text("abc").compressed()
    expectEqual(try bytes(body.compressed()), try bytes(body))
  }

  @Test func codingIsAppended() throws {
    func described(_ body: RequestBody, _ headers: HTTPHeaders) throws -> TransportRequest {
      let data = TestRequest(method: .post, headers: headers, body: body)
      return try RequestRun(data, accept: "*/*", engine: JsonWebService().engine).describe()
    }
    let compressed = RequestBody.text("a").compressed()
    expectEqual(try described(compressed, [:]).body.data, try bytes(compressed))
    for (body, field, coding) in [
      (compressed, nil, "gzip"), (compressed, "br", "br, gzip"), (.text("a"), "br", "br"),
    ] as [(RequestBody, String?, String)] {
      let headers = HTTPHeaders(field.map { ["content-encoding": $0] } ?? [:])
      expectEqual(try described(body, headers).headers["Content-Encoding"], coding)
    }
  }

  @Test func bodyIsSentPlainWithoutZlib() throws {
    let body = RequestBody.text("abc").compressed(ifPossible: false)
    #expect(body.compress == nil)
    expectEqual(try bytes(body), Data("abc".utf8))
  }
}
