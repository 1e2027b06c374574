import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct SigningTests {
  private struct Refusal: Error, Equatable {}

  /// Signs each time with a new number, in two header fields.
  private func authorization(
    needsToken: Bool = true, failsAt failing: Int = .max, signed: Collector<String> = Collector()
  ) -> WebServiceAuthorizationType {
    .custom(
      RequestSigner(named: "test", needsToken: needsToken) { request, token in
        let count = signed.elements.count + 1
        guard count < failing else { throw Refusal() }
        #expect(request.headers["X-Signature"] == nil && request.headers["X-Nonce"] == nil)
        signed.append("\(request.method) \(request.url.path)")
        return ["X-Signature": "\(token?.value ?? "none")-\(request.url.path)-\(count)", "X-Nonce": "nonce-\(count)"]
      })
  }

  private func fields(_ exchange: HeldExchange?) -> [String?] {
    ["X-Signature", "X-Nonce"].map { exchange?.request.value(forHTTPHeaderField: $0) }
  }

  @Test(arguments: [true, false])
  func eachAttemptIsSigned(needsToken: Bool) async {
    let bench = HeldBench { $0.retry = RetryPolicy(maximumAttempts: 3) }
    let signed = Collector<String>()
    let (_, results) = bench.send(authorization: authorization(needsToken: needsToken, signed: signed))
    let token = needsToken ? "fake-token" : "none"
    for attempt in 1...3 {
      #expect(fields(bench.session.open.first) == ["\(token)-/a-\(attempt)", "nonce-\(attempt)"])
      bench.session.open.first?.answer(attempt == 3 ? 200 : 503)
      bench.clock.advance(by: attempt == 3 ? 0 : 1)
      await bench.passAppCode()
    }
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    #expect(signed.elements == ["GET /a", "GET /a", "GET /a"])
    bench.expectNothingLeft()
  }

  @Test func redirectIsSignedOnlyWithinTheOrigin() async {
    let bench = HeldBench()
    let signed = Collector<String>()
    let request = TestRequest(
      path: "https://api.example.com/a", method: .post, body: .json("x"),
      authorization: authorization(signed: signed))
    let (_, results) = bench.send(request)
    bench.session.open.first?.answer(307, ["Location": "/b"])
    await bench.passAppCode()
    #expect(fields(bench.session.open.first) == ["fake-token-/b-2", "nonce-2"])
    bench.session.open.first?.answer(303, ["Location": "/c"])
    await bench.passAppCode()
    #expect(fields(bench.session.open.first) == ["fake-token-/c-3", "nonce-3"])
    bench.session.open.first?.answer(302, ["Location": "https://other.example.com/d"])
    #expect(fields(bench.session.open.first) == [nil, nil])
    bench.session.open.first?.answer(302, ["Location": "https://api.example.com/e"])
    #expect(fields(bench.session.open.first) == [nil, nil])
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    #expect(signed.elements == ["POST /a", "POST /b", "GET /c"])
    bench.expectNothingLeft()
  }

  @Test(arguments: 1...3)
  func signerErrorEndsTheRequest(failing: Int) async {
    let bench = HeldBench { $0.retry = .standard }
    let (_, results) = bench.send(authorization: authorization(failsAt: failing))
    if failing > 1 {
      bench.session.open.first?.answer(503)
      bench.clock.advance(by: 0.5)
      await bench.passAppCode()
    }
    if failing > 2 { bench.session.open.first?.answer(302, ["Location": "/b"]) }
    await bench.passAppCode()
    await bench.settle()
    let error = results.elements.first?.error
    #expect(error?.kind == .token)
    #expect(error?.underlying(as: Refusal.self) == Refusal())
    #expect(bench.session.exchanges.count == failing - 1)
    bench.expectNothingLeft()
  }

  @Test func unsendableSignatureIsNotRevealed() async {
    let bench = HeldBench()
    let signer = RequestSigner(named: "bad", needsToken: false) { _, _ in ["X-Signature": "secret\r\nvalue"] }
    let (_, results) = bench.send(authorization: .custom(signer))
    await bench.settle()
    let error = results.elements.first?.error
    #expect(error?.kind == .token)
    #expect(error.map { "\($0)".contains("secret") } == false)
    bench.expectNothingLeft()
  }

  @Test func refusedSignatureIsRemadeWithANewToken() async {
    let manager = BasicAuthManager(storage: InMemoryTokenStorage(), clock: VirtualClock())
    manager.renewTokens { _ in TestRequest(path: "https://api.example.com/renew", method: .post) }
    manager.update(apiToken: "old", secondsRemaining: 600)
    let bench = HeldBench(tokenManager: manager)
    let (_, results) = bench.send(authorization: authorization())
    bench.session.open.first?.answer(401)
    await bench.session.waitForExchanges(2)
    bench.session.open.first?.answer(body: #"{"apiToken": "new", "secondsRemaining": 600}"#)
    await bench.session.waitForExchanges(3)
    #expect(fields(bench.session.open.first) == ["new-/a-2", "nonce-2"])
    bench.session.open.first?.answer()
    await results.waitForElements(1)
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    manager.clear()
    bench.expectNothingLeft()
  }

  @Test func signOutInQueue() async {
    let manager = BasicAuthManager(storage: InMemoryTokenStorage(), clock: VirtualClock())
    manager.update(apiToken: "old", secondsRemaining: 600)
    let bench = HeldBench(tokenManager: manager) { configuration in
      configuration.layers = [.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))]
    }
    let results = (0..<20).map { bench.send("\($0)", authorization: .bearer).results }
    let (_, free) = bench.send("free")
    manager.clear()
    #expect(bench.session.exchanges.map(\.path) == ["/0", "/free"])
    bench.session.open.first?.answer()
    await bench.settle()
    for result in results { #expect(result.elements.map(\.error?.kind) == [.cancelled]) }
    #expect(free.elements.map(\.model) == [City(name: "Bath")])
    bench.expectNothingLeft()
  }

  @Test func signOutEndsOnlyRequestsWithTokens() async {
    let manager = BasicAuthManager(storage: InMemoryTokenStorage(), clock: VirtualClock())
    manager.update(apiToken: "old", secondsRemaining: 600)
    let bench = HeldBench(tokenManager: manager) { $0.retry = .standard }
    let kinds: [WebServiceAuthorizationType] = [
      .bearer, .apiToken, .header(named: "X-Key"), authorization(), .none, .basic(user: "me", password: "word"),
      authorization(needsToken: false),
    ]
    let results = kinds.enumerated().map { bench.send("\($0)", authorization: $1).results }
    let (_, pausing) = bench.send("pausing", authorization: .bearer)
    bench.session.open.last?.answer(503)
    let (_, answered) = bench.send("answered", authorization: .bearer)
    // The responses have arrived, but the queue of the completions is blocked.
    let gate = DispatchSemaphore(value: 0)
    bench.queue.async { gate.wait() }
    bench.session.open.last?.answer()
    let exchanges = bench.session.exchanges
    manager.clear()
    gate.signal()
    await bench.settle()
    for exchange in exchanges { exchange.answerLate() }
    exchanges.forEach { $0.answer() }
    bench.clock.advance(by: 100)
    await bench.settle()
    let cancelled = results.prefix(4) + [pausing, answered]
    for result in cancelled { #expect(result.elements.map(\.error?.kind) == [.cancelled]) }
    for result in results.dropFirst(4) { #expect(result.elements.map(\.model) == [City(name: "Bath")]) }
    bench.expectNothingLeft()
  }
}
