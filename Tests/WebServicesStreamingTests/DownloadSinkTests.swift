import WebServicesFiles
@testable import WebServicesStreaming
@testable import WebServicesTestSupport

/// Calls of a sink in orders that only threads bring about.
struct DownloadSinkTests {
  private let folder: URL
  private let file: DownloadFile

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("DownloadSinkTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = DownloadFile(
      beside: folder.appendingPathComponent("target"), kept: .deleted, hasCredentials: false, redaction: .standard)
  }

  private var names: [String]? { try? FileManager.default.contentsOfDirectory(atPath: folder.path) }

  private func request() throws -> TransportRequest {
    TransportRequest(url: try #require(URL(string: "https://example.com/file")))
  }

  @Test func transferThatIsSentLateTakesNoBytesFromANewerOne() async throws {
    let sink = DownloadSink(to: file)
    var request = try request()
    try sink.prepare(request)
    sink.willSend(&request, transfer: 2)
    sink.willSend(&request, transfer: 1)
    let head = WebServiceResponse(statusCode: 200, headers: ["Content-Length": "3"], url: request.url)
    sink.begin(head, transfer: 2) { _ in }
    sink.receive(Data("abc".utf8), transfer: 2) {}
    let result = await withCheckedContinuation { continuation in
      sink.end(.success(head), transfer: 2) { continuation.resume(returning: $0) }
    }
    #expect(result.response?.statusCode == 200)
    try file.move()
    expectEqual(try String(contentsOf: folder.appendingPathComponent("target"), encoding: .utf8), "abc")
    try FileManager.default.removeItem(at: folder)
  }

  @Test(arguments: [true, false])
  func lateBytesAreNotWritten(isClosed: Bool) async throws {
    let sink = DownloadSink(to: file)
    var request = try request()
    try sink.prepare(request)
    sink.willSend(&request, transfer: 1)
    let head = WebServiceResponse(statusCode: 200, url: request.url)
    sink.begin(head, transfer: 1) { _ in }
    sink.receive(Data("abc".utf8), transfer: 1) {}
    await withCheckedContinuation { continuation in
      sink.end(.success(head), transfer: 1) { _ in continuation.resume() }
    }
    if isClosed { await close(sink) } else { sink.willSend(&request, transfer: 2) }
    sink.receive(Data("def".utf8), transfer: 1) {}
    await close(sink)
    expectEqual(file.size, 3)
    file.end(keepingBytes: false)
    try FileManager.default.removeItem(at: folder)
  }

  private func close(_ sink: DownloadSink) async {
    await withCheckedContinuation { continuation in sink.close { continuation.resume() } }
  }

  @Test func fileThatIsOpenedAfterItsDownloadHasEndedIsRemoved() throws {
    file.end(keepingBytes: false)
    _ = try file.open(for: request())
    expectEqual(names, [])
    try FileManager.default.removeItem(at: folder)
  }
}
