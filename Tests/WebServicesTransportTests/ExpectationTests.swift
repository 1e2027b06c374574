import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
@testable import WebServicesHTTP
@testable import WebServicesTransport
import WebServicesTesting

@Suite(.timeLimit(.minutes(1)))
struct ExpectationTests {
  private static let body = Data(repeating: 7, count: 100_000)

  private func request(to bench: TransportBench) -> TransportRequest {
    TransportRequest(
      method: .put, url: bench.server.url("/"), headers: ["Expect": "100-continue"], body: .data(Self.body),
      timeouts: .init(whole: 20))
  }

  @Test(arguments: TransportKind.own, [false, true])
  func expectationFailedIsTheResponse(_ kind: TransportKind, closes: Bool) async throws {
    let bench = try TransportBench(kind)
    // The response is raw, because the server would otherwise announce the end of the connection. libcurl then wouldn't
    // send again.
    let text = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno"
    let answer = LoopbackServer.Response.raw(text).beforeBody()
    bench.server.route(.put, "/", closes ? answer.then(.close) : answer)
    bench.server.route(.get, "/", .text("ok"))
    for _ in 0..<2 {
      let result = await bench.send(request(to: bench))
      #expect(result.response?.statusCode == 417)
      #expect(await bench.get("/").text == "ok")
    }
    #expect(bench.server.requests(.put).count == 2)
  }

  @Test(arguments: TransportKind.own)
  func expectationFailedKeepsItsBody(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    bench.server.route(.put, "/", .text("no", status: 417, headers: ["Connection": "close"]).beforeBody().then(.close))
    let result = await bench.send(request(to: bench))
    #expect(result.response?.statusCode == 417)
    if !kind.isFoundationOnLinux { #expect(result.text == "no") }
    #expect(bench.server.requests(.put).count == 1)
  }

  @Test(arguments: TransportKind.own)
  func bodyIsSentOnceTheServerContinues(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    bench.server.route(.put, "/", .text("ok"))
    #expect(await bench.send(request(to: bench)).text == "ok")
    #expect(bench.server.requests(.put).map(\.body) == [Self.body])
  }

  #if os(Linux)
    @Test func oldLibrariesAreGivenNoExpectation() async throws {
      var configuration = TransportConfiguration()
      configuration.proxy = .none
      let session = CurlSession(configuration, features: .init(version: CurlLibrary.oldestVersion, bits: -1))
      let bench = try TransportBench(session: session)
      bench.server.route(.put, "/", .text("no", status: 417))
      #expect(await bench.send(request(to: bench)).response?.statusCode == 417)
      #expect(bench.server.requests(.put).map { $0.headers["Expect"] } == [nil])
    }
  #endif
}
