import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import WebServicesTestSupport

/// Bodies that a closure or an asynchronous sequence writes while they are sent.
@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct WrittenBodyTests {
  private func harness(_ kind: TransportKind) throws -> SocketHarness {
    let harness = try SocketHarness(kind) { configuration in
      configuration.clock = SystemClock.shared
      // A busy machine may need long to give each writing closure a thread.
      configuration.timeout = 600
    }
    harness.server.route(.post, "/*", .text("ok"))
    return harness
  }

  private static let pieces = (0..<40).map { Data(repeating: UInt8($0), count: $0 * 5000) }

  @Test(arguments: TransportKind.own)
  func sequenceIsSent(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    let stream = AsyncStream<Data> { continuation in
      for piece in Self.pieces { continuation.yield(piece) }
      continuation.finish()
    }
    let whole = Self.pieces.reduce(Data(), +)
    #expect(try await harness.received(.stream(stream, contentType: "a/b")) == whole)
    #expect(harness.server.requests.last?.headers["Content-Type"] == "a/b")
  }

  @Test(arguments: TransportKind.own)
  func closureWritesWhileTheBodyIsSent(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    let body = RequestBody.stream(contentType: "text/csv", length: 4) { body in
      try await body.write(Data("ab".utf8))
      await Task.yield()
      try await body.write(Data())
      try await body.write(Data("cd".utf8))
    }
    #expect(try await harness.received(body) == Data("abcd".utf8))
    #expect(harness.server.requests.last?.headers["Content-Length"] == "4")
    #expect(try await harness.received(.stream(contentType: "a/b") { _ in }) == Data())
    #expect(!body.isReplayable)
    #expect(RequestBody.stream(contentType: "a/b", isReplayable: true) { _ in }.isReplayable)
    _ = try await harness.received(body.compressed())
    #expect(harness.server.requests.last?.headers["Content-Encoding"] == (RequestBody.canCompress ? "gzip" : nil))
  }

  @Test(arguments: TransportKind.own)
  func errorOfTheClosureFailsTheRequest(_ kind: TransportKind) async throws {
    struct Broken: Error {}
    let harness = try harness(kind)
    let bodies: [RequestBody] = [
      .stream(contentType: "a/b") { body in
        try await body.write(Data("ab".utf8))
        throw Broken()
      },
      .stream(contentType: "a/b", length: 1) { try await $0.write(Data("ab".utf8)) },
    ]
    for body in bodies {
      let error = await #expect(throws: WebServiceError.self) { try await harness.received(body) }
      #expect(error?.kind == .file && error?.underlying(as: TransportError.self)?.kind == .file)
    }
  }

  @Test func cancelledRequestEndsAClosureThatWaits() async throws {
    #if os(Linux)
      let harness = try harness(.curl)
      let (started, ended) = (Collector<Bool>(), Collector<Bool>())
      let never = AsyncStream<Data> { _ in }
      let body = RequestBody.stream(contentType: "a/b") { body in
        started.append(true)
        for await piece in never { try await body.write(piece) }
        ended.append(Task.isCancelled)
      }
      let request = Task {
        try await harness.service.sendRequest(Request("upload", .post, body: body), parser: .nothing)
      }
      await started.waitForElements(1)
      request.cancel()
      await ended.waitForElements(1)
      #expect(ended.elements == [true])
      await #expect(throws: WebServiceError.self) { try await request.value }
    #endif
  }
}

extension SocketHarness {
  /// The body that the server received.
  fileprivate func received(_ body: RequestBody) async throws -> Data {
    try await service.sendRequest(Request("upload", .post, body: body), parser: .nothing)
    return try #require(server.requests.last).body
  }
}
