import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct CoalescingSessionTests {
  private let bench = LayerBench([.coalescing])

  private var count: Int? { (bench.layered as? CoalescingSession)?.count }

  @Test func equalRequestsShareATransferInOrder() {
    let requests = (0..<4).map { _ in bench.send("a") }
    let other = bench.send("b")
    #expect(bench.session.paths == ["/a", "/b"])
    #expect(count == 2)
    bench.session.open.first?.answer()
    #expect(requests.map(\.ends) == Array(repeating: ["200"], count: 4))
    #expect(requests.map(\.response?.source) == [.network, .shared, .shared, .shared])
    #expect(requests.map(\.notes) == [["starts", "sent"]] + Array(repeating: ["starts", "coalesced"], count: 3))
    bench.session.open.first?.answer()
    #expect(other.ends == ["200"])
    #expect(count == 0)
  }

  @Test func requestAfterTheEndOpensANewTransfer() {
    let first = bench.send("a")
    bench.session.open.first?.answer()
    let second = bench.send("a")
    first.task.cancel()
    #expect(bench.session.open.count == 1)
    bench.session.open.first?.answer()
    #expect([first, second].map(\.ends) == [["200"], ["200"]])
  }

  @Test(arguments: 0..<3)
  func lastLeavingRequestEndsTheTransfer(first: Int) {
    let requests = (0..<3).map { _ in bench.send() }
    for step in 0..<3 {
      #expect(bench.session.open.count == 1)
      let request = requests[(first + step) % 3]
      request.task.cancel()
      request.task.cancel()
      #expect(request.ends == ["cancelled"])
    }
    #expect(bench.session.open.isEmpty)
    #expect(count == 0)
    bench.send()
    #expect(bench.session.open.count == 1)
  }

  @Test func waitingTransferIsWithdrawnByTheLastRequest() {
    let bench = LayerBench([.coalescing, .limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))])
    bench.send("other")
    let requests = (0..<2).map { _ in bench.send("a") }
    #expect(requests[0].task.withdrawIfUnsent() == nil)
    #expect(requests[0].ends == ["cancelled"])
    #expect(requests[1].task.withdrawIfUnsent() == .turn(host: "api.example.com", limit: 1))
    #expect(requests[1].ends == ["cancelled"])
    bench.session.open.first?.answer()
    #expect(bench.session.paths == ["/other"])
  }

  @Test func timeoutsStartWhenSentOrJoined() {
    let bench = LayerBench([.coalescing, .limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))])
    bench.send("other")
    let requests = (0..<2).map { _ in bench.send("a") { $0.timeouts.whole = 5 } }
    #expect(requests.map(\.notes) == [["waiting(limit)"], ["coalesced"]])
    bench.session.open.first?.answer()
    let late = bench.send("a")
    #expect(requests.map(\.notes) == [["waiting(limit)", "starts", "sent"], ["coalesced", "starts"]])
    #expect(late.notes == ["starts", "coalesced"])
    #expect(bench.session.open.map(\.request.timeouts.whole) == [TransportTimeouts.longest])
  }

  @Test(arguments: [true, false])
  func transferIsSentWhileOneRequestMayBeSent(othersMay: Bool) {
    let bench = LayerBench([.coalescing, .limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))])
    bench.send("other")
    let requests = (0..<2).map { _ in bench.send("a") }
    requests[0].observer.mayBeSent.withLock { $0 = false }
    requests[1].observer.mayBeSent.withLock { $0 = othersMay }
    bench.session.open.first?.answer()
    #expect(bench.session.paths == (othersMay ? ["/other", "/a"] : ["/other"]))
    #expect(requests[1].ends == (othersMay ? [] : ["cancelled"]))
  }

  @Test func optionsDecideAboutSharing() {
    for _ in 0..<2 { bench.send("own") { $0.options.coalesces = false } }
    for _ in 0..<2 { bench.send("past") { $0.options.bypassesLimits = true } }
    let onDemand = LayerBench([.coalescing(byDefault: false)])
    for _ in 0..<2 { onDemand.send("own") }
    for _ in 0..<2 { onDemand.send("shared") { $0.options.coalesces = true } }
    #expect(bench.session.paths == ["/own", "/own", "/past", "/past"])
    #expect(onDemand.session.paths == ["/own", "/own", "/shared"])
  }

  @Test func requestsEndOnceOnAnyThread() async {
    let session = ScriptedSession { .success(WebServiceResponse(statusCode: 200, url: $0.url)) }
    let layered = CoalescingSession(next: session)
    let (told, requests) = (Collector<Int>(), LayerBench.requests(3))
    await concurrently(8_000) { index in
      let task = layered.transferTask(with: requests[index % 3]) { result in
        told.append((try? result.get()) == nil ? -1 : index)
      }
      task.resume()
      if index % 2 == 0 { task.cancel() }
    }
    #expect(told.elements.count == 8_000)
    #expect(Set(told.elements).filter { $0 % 2 == 1 }.count == 4_000)
    #expect(layered.count == 0)
  }
}
