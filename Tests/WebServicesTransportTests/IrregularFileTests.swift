@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct IrregularFileTests {
  @Test("fact 5: a body that isn't a file fails", arguments: TransportKind.own)
  func irregularFilesFailUnopened(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.put, "/", .text("ok"))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("f\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appendingPathComponent("pipe")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    let link = folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: pipe)
    let socket = folder.appendingPathComponent("socket")
    let listener = try LoopbackServer(.unixSocket(socket.path))
    defer { listener.stop() }
    let missing = folder.appendingPathComponent("missing")
    // There are more files than a thread pool has threads.
    let files =
      Array(repeating: pipe, count: 100) + [
        link, socket, folder, missing, URL(fileURLWithPath: "/dev/zero"), testURL("http://example.com/a"),
      ]
    let errors = await withTaskGroup(of: TransportError?.self) { group in
      for file in files {
        group.addTask {
          await harness.transfer(TransportRequest(method: .put, url: harness.server.url("/"), body: .file(file))).error
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    expectEqual(errors.map { $0?.kind }, Array(repeating: .file, count: files.count))
    #expect(errors.allSatisfy { $0?.mayHaveReachedServer == false })
    expectEqual(harness.server.requestCount, 0)
  }
}
