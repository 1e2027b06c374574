@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct FakeStreamTests {
  @Test func mockSessionStreamsAndDownloads() async throws {
    let harness = VirtualHarness.scripted()
    harness.session.script(.get, "/cities", .response(headers: ["X-A": "1"], body: Data("abc".utf8)))
    var letters = ""
    let stream = try await harness.service.stream(TestRequest(), as: .letters)
    expectEqual(stream.response.headers["X-A"], "1")
    for try await letter in stream { letters.append(letter) }
    expectEqual(letters, "abc.")
    let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: target) }
    let head = try await harness.service.download(TestRequest(), to: target)
    expectEqual(head.headers["X-A"], "1")
    expectEqual(try Data(contentsOf: target), Data("abc".utf8))
  }

  @Test func piecesAreReadOnceWithoutEmptyOnes() async throws {
    let response = WebServiceResponse(statusCode: 200, url: URL(fileURLWithPath: "/"))
    let stream = ResponseStream(
      response: response, pieces: [Data("ab".utf8), Data(), Data("c".utf8)], format: .data)
    var pieces: [String] = []
    for try await piece in stream { pieces.append(String(decoding: piece, as: UTF8.self)) }
    expectEqual(pieces, ["ab", "c"])
    await #expect(throws: WebServiceError.self) { for try await _ in stream {} }
    let broken = ResponseStream(response: response, pieces: [Data("!".utf8)], format: .letters)
    let error = await #expect(throws: WebServiceError.self) { for try await _ in broken {} }
    expectEqual(error?.kind, .undecodableBody)
  }

  @Test func fakeServiceStreamsAndDownloads() async throws {
    let service = HeldService()
    let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: target) }
    let (log, stored) = (Collector<String>(), Collector<Bool>())
    service.stream(TestRequest(), as: .letters, callbackQueue: .global()) {
      log.append("\($0)")
    } completion: {
      log.append($0.failure == nil ? "end" : "error")
    }
    service.download(TestRequest(), to: target, callbackQueue: .global()) {
      stored.append($0.failure == nil)
    }
    service.respondToAll("ab")
    await log.waitForElements(4)
    expectEqual(log.elements, ["a", "b", ".", "end"])
    expectEqual(stored.elements, [true])
    expectEqual(try Data(contentsOf: target), Data("ab".utf8))
  }
}
