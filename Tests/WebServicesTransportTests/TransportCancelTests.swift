import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// A cancel in every phase, and the end of a session.
@Suite(.timeLimit(.minutes(1)))
struct TransportCancelTests {
  private func cancelled(
    _ bench: TransportBench, _ request: TransportRequest, when: () async -> Void
  ) async -> Result<WebServiceResponse, TransportError>? {
    let tally = Tally()
    let outcome = Locked<Result<WebServiceResponse, TransportError>?>(nil)
    let task = bench.session.transferTask(with: request) { result in
      outcome.withLock { $0 = result }
      tally.add()
    }
    task.resume()
    await when()
    task.cancel()
    task.cancel()
    await tally.wait(for: 1)
    task.cancel()
    task.resume()
    try? await Task.sleep(nanoseconds: 20_000_000)
    #expect(tally.count == 1)
    return outcome.withLock { $0 }
  }

  @Test(arguments: TransportKind.own)
  func cancelBeforeTheHead(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    bench.server.route(.get, "/", .silence)
    let request = TransportRequest(url: bench.server.url("/"))
    let result = await cancelled(bench, request) { await bench.server.waitForRequests() }
    #expect(result?.error?.kind == .cancelled)
    #expect(result?.error?.mayHaveReachedServer == true)
  }

  @Test(arguments: TransportKind.own)
  func cancelWithinTheBodyKeepsTheReceived(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    let gate = LoopbackServer.Gate()
    bench.server.route(
      .get, "/", [.head(status: 200, headers: ["Content-Length": "9"]), .body(Data("abc".utf8)), .wait(gate)])
    let arrived = Tally()
    var request = TransportRequest(url: bench.server.url("/"))
    request.onProgress = { if $0.received == 3 { arrived.add() } }
    let result = await cancelled(bench, request) { await arrived.wait(for: 1) }
    #expect(result?.error?.kind == .cancelled)
    #expect(result?.error?.response?.body == Data("abc".utf8))
  }

  @Test(arguments: TransportKind.own)
  func cancelBeforeAndAfterTheStart(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    let tally = Tally()
    let task = bench.session.transferTask(with: TransportRequest(url: bench.server.url("/"))) { result in
      #expect(result.error?.kind == .cancelled)
      tally.add()
    }
    task.cancel()
    task.resume()
    await tally.wait(for: 1)
    #expect(bench.server.connectionsAccepted == 0)
    let result = await cancelled(bench, TransportRequest(url: bench.server.url("/"))) {}
    #expect(result != nil)
  }

  @Test(arguments: TransportKind.own)
  func cancelDuringUploadClosesTheReaderOnce(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    bench.server.route(.post, "/", .text("ok"))
    let reached = Tally()
    let goOn = DispatchSemaphore(value: 0)
    let stream = PieceStream(["abc", "def"]) { index in
      guard index == 1 else { return }
      reached.add()
      goOn.wait()
    }
    let request = TransportRequest(method: .post, url: bench.server.url("/"), body: .stream(stream))
    let result = await cancelled(bench, request) { await reached.wait(for: 1) }
    #expect(result?.error?.kind == .cancelled)
    goOn.signal()
    await stream.closed.wait(for: 1)
    #expect(stream.opened.count == 1)
    #expect(stream.closed.count == 1)
  }

  @Test(arguments: TransportKind.own)
  func invalidationEndsEveryTaskOnce(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    bench.server.route(.get, "/", .silence)
    let tally = Tally()
    let count = 200
    for _ in 0..<count {
      bench.session.transferTask(with: TransportRequest(url: bench.server.url("/"))) { result in
        #expect(result.error?.kind == .cancelled)
        tally.add()
      }.resume()
    }
    #expect(await bench.server.waitForRequests(count: 10).count >= 10)
    bench.session.invalidateAndCancel()
    bench.session.invalidateAndCancel()
    await tally.wait(for: count)
    #expect(await bench.server.waitForOpenConnections(count: 0))
    #expect(tally.count == count)
  }
}
