import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore
@testable import WebServicesStreaming

@Suite(.timeLimit(.minutes(1)))
struct RedirectTargetTests {
  @Test(arguments: TransportKind.own)
  func redirectFragmentStaysInTheURLOnly(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind) { $0.layers = [.coalescing] }
    stage.server.route(.get, "/a", .redirect(to: "/b#part"))
    stage.server.route(.get, "/b", .redirect(to: "/c"))
    stage.server.route(.get, "/c", .text("found"))
    stage.server.route(.get, "/lost", .redirect(to: "/nowhere#part"))
    let expected = stage.server.url("/c").absoluteString + "#part"
    let response = try await stage.service.sendRequest(TestRequest(path: "a"), parser: .response)
    #expect(response.url.absoluteString == expected)
    let stream = try await stage.service.stream(TestRequest(path: "a"), as: .data)
    #expect(stream.response.url.absoluteString == expected)
    for try await _ in stream {}
    let results = stage.download(TestRequest(path: "a")).results
    await results.waitForElements(1)
    #expect(try results.elements.first?.get().url.absoluteString == expected)
    let error = await stage.error { try await stage.service.sendRequest(TestRequest(path: "lost"), parser: .response) }
    #expect(error?.response?.url.fragment == "part")
    #expect(stage.server.requests.allSatisfy { !$0.target.contains("#") })
  }

  @Test func impossiblePortFailsWithTheChain() async {
    let bench = HeldBench()
    let (_, results) = bench.send()
    bench.session.open.first?.answer(302, ["Location": "https://api.example.com:99999/b"])
    await bench.settle()
    let error = results.elements.first?.error
    #expect(error?.kind == .redirect)
    #expect(error?.statusCode == 302)
    #expect(error?.underlying(as: RedirectError.self)?.reason == .invalidLocation)
    #expect(error?.underlying(as: RedirectError.self)?.chain.map(\.path) == ["/a"])
    #expect(error?.attemptCount == 1)
    bench.expectNothingLeft()
  }
}
