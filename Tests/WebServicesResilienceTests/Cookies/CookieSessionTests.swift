import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore
@testable import WebServicesResilience

@Suite
struct CookieSessionTests {
  private func cookies(_ bench: LayerBench) -> [String?] {
    bench.session.transfers.map { $0.request.headers["Cookie"] }
  }

  @Test
  func cookiesOfAResponseGoOutWithTheNextRequestToTheirHostAlone() {
    let bench = LayerBench([.cookies(CookieJar())])
    bench.send()
    bench.session.open.first?.answer(
      200, HTTPHeaders([.init(name: "Set-Cookie", value: "a=1"), .init(name: "set-cookie", value: "b=2")]))
    bench.send("b")
    bench.send(host: "www.example.com")
    bench.send { $0.headers["Cookie"] = "own=1" }
    #expect(cookies(bench) == [nil, "a=1; b=2", nil, "own=1"])
  }

  @Test
  func anErrorWithAHeadSetsCookiesTooAndAnotherHostsResponseSetsNone() {
    let jar = CookieJar()
    let bench = LayerBench([.cookies(jar)])
    bench.send()
    var head = WebServiceResponse(statusCode: 200, headers: ["Set-Cookie": "a=1"], url: LayerBench.url)
    bench.session.open.first?.end(
      .failure(TransportError(.truncated, message: "", mayHaveReachedServer: true, response: head)))
    #expect(jar.count == 1)
    bench.send()
    head.url = URL(string: "https://evil.example.net/") ?? LayerBench.url
    head.headers = ["Set-Cookie": "evil=1"]
    bench.session.open.first?.end(.success(head))
    #expect(jar.count == 1)
  }

  @Test
  func aStreamsCookiesAreKeptWithItsHead() {
    let jar = CookieJar()
    let session = ScriptedSession()
    let bench = LayerBench([.cookies(jar)], session: session)
    bench.send { $0.receiver = ForgetfulReceiver() }
    session.open.first?.request.receiver?.didReceive(
      head: WebServiceResponse(statusCode: 200, headers: ["Set-Cookie": "a=1"], url: LayerBench.url))
    #expect(jar.count == 1)
    jar.removeAll()
    session.open.first?.answer(200, ["Set-Cookie": "a=1"])
    #expect(jar.count == 0)
  }

  @Test
  func requestsWithEqualCookiesShareATransferWhoseCookiesAreKeptOnceOthersDont() throws {
    let jar = CookieJar()
    let bench = LayerBench([.cookies(jar), .coalescing])
    bench.send()
    bench.send()
    #expect(bench.session.transfers.count == 1)
    jar.store("user=2", from: LayerBench.url)
    bench.send()
    #expect(bench.session.transfers.count == 2)
    bench.session.open.first?.answer(200, ["Set-Cookie": "a=1"])
    #expect(jar.cookies(for: LayerBench.url).map(\.name) == ["user", "a"])
  }

  @Test
  func aStoredResponseIsGivenOnlyToRequestsWithTheSameCookiesAndSetsNoneAgain() {
    let jar = CookieJar()
    let bench = LayerBench([.cookies(jar), .cache(ResponseCache())])
    jar.store("user=1", from: LayerBench.url)
    bench.send()
    bench.session.open.first?.answer(
      200, ["Cache-Control": "private, max-age=60", "Set-Cookie": "user=1"], body: "mine")
    #expect(bench.send().response?.body == Data("mine".utf8))
    #expect(bench.session.transfers.count == 1)
    jar.removeAll()
    jar.store("user=2", from: LayerBench.url)
    #expect(bench.send().response == nil)
    #expect(bench.session.transfers.count == 2)
    bench.session.open.first?.answer()
    #expect(jar.cookies(for: LayerBench.url).map(\.value) == ["2"])
  }

  @Test
  func behindACacheOrSharedTransfersTheLayerRefusesEveryRequest() async throws {
    for layers in [[.cache(ResponseCache()), .cookies(CookieJar())], [.coalescing, .cookies(CookieJar())]]
      as [[any SessionLayer]]
    {
      let bench = Bench { $0.layers = layers }
      let error = await #expect(throws: WebServiceError.self) {
        try await bench.service.sendRequest(TestRequest(), parser: .nothing)
      }
      #expect(error?.kind == .invalidRequest && error?.message.contains("put it first") == true)
      #expect(bench.session.requests.isEmpty)
    }
  }
}
