@testable import WebServicesTestSupport

/// The samples of the article on files.
@Suite struct FilesTests {
  // sample: keptDownload

  // sample: upload

  private func upload(
    _ file: URL, with service: JsonWebService, show: @escaping @Sendable (Double) -> Void
  ) async throws {
    // sample: uploading
  }

  private func download(_ report: some WebServiceRequestData, to file: URL, with service: JsonWebService) async throws
    -> WebServiceResponse
  {
    // sample: download
    return response
  }

  private func downloadLater(
    _ report: some WebServiceRequestData, to file: URL, with service: JsonWebService,
    show: @escaping @Sendable (String) -> Void
  ) {
    // sample: downloadCompletion
  }

  @Test func fileIsUploadedAndDownloaded() async throws {
    let folder = try TemporaryFolder()
    let (up, down) = (folder.url.appendingPathComponent("up.txt"), folder.url.appendingPathComponent("down.txt"))
    try Data("a report".utf8).write(to: up)
    let server = try LoopbackServer()
    defer { server.stop() }
    server.route(.put, "/uploads/:name") { .text($0.body.isEmpty ? "empty" : "ok") }
    server.route(.get, "/report", .text("another report"))
    let service = JsonWebService(configuration: WebServiceConfiguration(baseURL: server.baseURL))
    let shares = Collector<Double>()
    try await upload(up, with: service) { shares.append($0) }
    await shares.waitForElements(1)
    #expect(shares.elements.allSatisfy { (0...1).contains($0) })
    let response = try await download(TestRequest(path: "report"), to: down, with: service)
    #expect(response.body.isEmpty)
    expectEqual(try Data(contentsOf: down), Data("another report".utf8))
    let words = Collector<String>()
    downloadLater(TestRequest(path: "report"), to: down, with: service) { words.append($0) }
    expectEqual(await words.elements(1).count, 1)
  }
}
