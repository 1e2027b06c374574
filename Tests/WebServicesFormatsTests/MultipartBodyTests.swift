import Foundation
import Testing
@testable import WebServicesTestSupport

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesFormats

@Suite(.leavesNothing) struct MultipartBodyTests {
  private func content(_ parts: [MultipartBody.Part], boundary: String = "b") throws -> Data {
    switch try MultipartBody(parts, boundary: boundary).joined() {
    case .data(let data): data
    case .stream(let stream): try stream.content(inPiecesOf: 4096)
    case .none, .file: Data()
    }
  }

  private func text(_ parts: [MultipartBody.Part]) throws -> String {
    String(decoding: try content(parts), as: UTF8.self)
  }

  private func stream(_ parts: [MultipartBody.Part]) throws -> JoinedBodyStream {
    guard case .stream(let stream as JoinedBodyStream) = try MultipartBody(parts).joined() else {
      throw POSIXError(.EINVAL)
    }
    return stream
  }

  private func reason(_ parts: [MultipartBody.Part]) -> RequestBodyError.Reason? {
    do throws(RequestBodyError) {
      _ = try MultipartBody(parts).joined()
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func formFollowsRFC7578() throws {
    let parts: [MultipartBody.Part] = [
      .field("title", "Lünch\r\n"), .data("d", Data("x".utf8), fileName: "a.txt", contentType: "text/plain"),
    ]
    #expect(
      try text(parts)
        == "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nLünch\r\n\r\n"
        + "--b\r\nContent-Disposition: form-data; name=\"d\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n"
        + "\r\nx\r\n--b--\r\n")
    #expect(try text([]) == "--b--\r\n")
    #expect(MultipartBody([]).boundary != MultipartBody([]).boundary && MultipartBody([]).boundary.utf8.count >= 32)
  }

  @Test func namesAreEscaped() throws {
    let body = try text([.data("a\"b\r\nX: 1", Data(), fileName: "ü\"\r\n\\.txt", contentType: "a/b")])
    #expect(body.contains("name=\"a%22b%0D%0AX: 1\"; filename=\"ü%22%0D%0A\\.txt\"\r\n"))
  }

  @Test func invalidPartHeadsAreRefused() {
    #expect(reason([.field("a\0", "")]) == .invalidPart)
    #expect(reason([.data("a", Data(), fileName: "\u{1B}")]) == .invalidPart)
    #expect(reason([.data("a", Data(), contentType: "a/b\r\nX: 1")]) == .invalidPart)
    #expect(reason([.field("a", "\0")]) == nil)
  }

  @Test func lengthIsKnownFromTheParts() throws {
    let file = try TemporaryFile(Data(count: 1234))
    defer { file.remove() }
    let parts: [MultipartBody.Part] = [
      .field("a", "ü"), .file("f", file.url), .stream("s", MadeStream(count: 99, length: 99)),
      .data("d", Data(count: 5)),
    ]
    let stream = try stream(parts)
    #expect(try stream.length == Int64(stream.content().count))
    #expect(stream.isReplayable)
    let endless = try self.stream(parts + [.stream("s", MadeStream(count: 1, length: nil, isReplayable: false))])
    #expect(endless.length == nil && !endless.isReplayable)
    let large = MadeStream(count: 1, length: .max)
    #expect(reason([.stream("s", large), .stream("s", large)]) == .wrongLength)
    #expect(reason([.stream("s", MadeStream(count: 1, length: -1))]) == .wrongLength)
  }

  @Test func partsAreOpenedInTurn() throws {
    let parts = (0..<3).map { _ in MadeStream(count: 300_000, length: 300_000) }
    let stream = try stream(parts.map { .stream("s", $0) })
    let reader = try stream.makeReader()
    #expect(parts.map(\.opened.count) == [0, 0, 0])
    var count = 0
    while count < 400_000 { count += try reader.read(upTo: 10_000).count }
    #expect(parts.map(\.opened.count) == [1, 1, 0])
    #expect(parts.map(\.closed.count) == [1, 0, 0])
    reader.close()
    #expect(parts.map(\.closed.count) == [1, 1, 0])
    #expect(try reader.read(upTo: 10).isEmpty)
    #expect(parts.allSatisfy { $0.largestPiece <= 10_000 })
  }

  @Test(arguments: [0, 5, 9, 11, 20])
  func wrongPartLengthFails(said: Int64) throws {
    let source = MadeStream(count: 10, length: said)
    let stream = try stream([.stream("s", source)])
    let error = #expect(throws: RequestBodyError.self) { try stream.content() }
    #expect(error?.reason == .wrongLength)
    #expect(source.closed.count == 1)
  }

  @Test func missingFileFailsBeforeSending() async throws {
    let harness = VirtualHarness.scripted()
    let body = RequestBody.multipart(MultipartBody([.file("f", URL(fileURLWithPath: "/no/such/file.txt"))]))
    let error = await harness.result(of: TestRequest(method: .post, body: body)).error
    #expect(error?.kind == .invalidRequest)
    #expect((error?.underlying as? RequestBodyError)?.reason == .missingFile)
    #expect(error?.message.contains("file.txt") == true)
    #expect(harness.session.requests.isEmpty)
  }

  private struct ParsedPart: Decodable, Equatable {
    var name: String
    var fileName: String?
    var type: String?
    var content: Data
  }

  private static let script = """
    import base64, email.message, email.parser, json, sys
    kind, path = sys.argv[1:]
    head = ('Content-Type: ' + kind + '\\r\\n\\r\\n').encode()
    whole = email.parser.BytesParser().parsebytes(head + open(path, 'rb').read())
    assert whole.get_content_type() == 'multipart/form-data' and not whole.defects
    parts = []
    for part in whole.get_payload():
      fields = email.message.Message()
      for name, value in part.raw_items():
        fields[name] = value.encode('ascii', 'surrogateescape').decode('utf-8')
      get = lambda name: fields.get_param(name, header='Content-Disposition')
      parts.append({
        'name': get('name'), 'fileName': get('filename'), 'type': fields['Content-Type'],
        'content': base64.b64encode(part.get_payload(decode=True)).decode()})
    print(json.dumps(parts))
    """

  @Test(
    .enabled(if: !Python.isMissing, "there is no python3 to read it back"),
    arguments: ["simple", "with space:'()+_,-./=?"])
  func pythonReadsTheParts(boundary: String) async throws {
    var generator = SeededGenerator(seed: 9)
    let noise = Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let file = try TemporaryFile(noise, name: "Fötö 1.png")
    defer { file.remove() }
    let bytes = try TemporaryFile(
      content(
        [
          .field("plain", "text"), .field("", ""), .field("ünï", "漢\r\n\r\n--x\n\r"), .field("a\"b\r\nc;d=e", "\""),
          .file("file", file.url), .file("file", file.url, fileName: "b;\".bin", contentType: "a/b; c=d"),
          .data("data", Data("\r\n--".utf8), contentType: "application/json"),
          .stream("stream", MadeStream(count: 70_000, length: nil), fileName: "s"),
        ], boundary: boundary))
    defer { bytes.remove() }
    let parsed = try JSONDecoder().decode(
      [ParsedPart].self,
      from: try await Python.run(Self.script, ["multipart/form-data; boundary=\"\(boundary)\"", bytes.url.path]))
    #expect(
      parsed == [
        ParsedPart(name: "plain", content: Data("text".utf8)), ParsedPart(name: "", content: Data()),
        ParsedPart(name: "ünï", content: Data("漢\r\n\r\n--x\n\r".utf8)),
        ParsedPart(name: "a%22b%0D%0Ac;d=e", content: Data("\"".utf8)),
        ParsedPart(name: "file", fileName: "Fötö 1.png", type: "image/png", content: noise),
        ParsedPart(name: "file", fileName: "b;%22.bin", type: "a/b; c=d", content: noise),
        ParsedPart(name: "data", type: "application/json", content: Data("\r\n--".utf8)),
        ParsedPart(
          name: "stream", fileName: "s", type: "application/octet-stream",
          content: MadeStream.bytes(from: 0, to: 70_000)),
      ])
  }
}
