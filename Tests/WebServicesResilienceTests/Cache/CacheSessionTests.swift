import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore

@Suite struct CacheSessionTests {
  private let wall = Locked(Date(timeIntervalSince1970: 1_790_000_000))
  private let bench: LayerBench

  init() {
    bench = LayerBench([.cache(ResponseCache { [wall] in wall.withLock { $0 } })])
  }

  private func store(_ control: String, _ path: String = "a") {
    bench.send(path)
    bench.session.open.last?.answer(200, headers(control), body: "old")
  }

  private func headers(_ control: String) -> HTTPHeaders {
    ["Cache-Control": control, "ETag": "\"1\"", "Date": HTTPDate.string(from: wall.withLock { $0 })]
  }

  private func wait(_ seconds: TimeInterval) { wall.withLock { $0 += seconds } }

  @Test func storedResponseIsDeliveredOnResume() {
    store("max-age=60")
    let hit = bench.send(resumes: false)
    #expect(hit.ends.isEmpty)
    hit.task.resume()
    #expect(hit.ends == ["200"])
    #expect(hit.response?.source == .cache)
    #expect(hit.notes == ["cached(hit)"])
    #expect(bench.session.transfers.count == 1)
  }

  @Test func revalidationTellsNetworkFromCache() {
    store("max-age=60")
    wait(61)
    let confirmed = bench.send()
    bench.session.open.first?.answer(304, headers("max-age=60"))
    #expect(confirmed.ends == ["200"])
    #expect(confirmed.response?.source == .cache)
    #expect(confirmed.notes == ["starts", "sent", "received(304)", "cached(revalidated)"])
    let reloaded = bench.send { $0.options.cachePolicy = .reload }
    bench.session.open.first?.answer(200, headers("max-age=60"), body: "new")
    #expect(reloaded.response?.source == .network)
  }

  @Test func storedResponseStandsInForFailures() {
    store("max-age=60, stale-if-error=600")
    wait(61)
    let failed = bench.send()
    bench.session.open.first?.fail(.connectionLost)
    bench.reachability.set(isConnected: false)
    let offline = bench.send { $0.context.isOffline = true }
    #expect([failed, offline].map(\.ends) == [["200"], ["200"]])
    #expect(failed.notes.last == "cached(stale)")
    #expect(offline.notes == ["cached(stale)"])
  }

  @Test func cancelledCallerGetsNoStoredResponse() {
    store("max-age=60, stale-if-error=600")
    wait(61)
    let cancelled = bench.send()
    cancelled.task.cancel()
    #expect(cancelled.ends == ["cancelled"])
    #expect(bench.session.open.isEmpty)
  }

  @Test func backgroundRefreshHasLowPriorityAndNoEvents() throws {
    store("max-age=60, stale-while-revalidate=600")
    wait(61)
    let sent = bench.send { $0.timeouts.whole = 7 }
    #expect(sent.ends == ["200"])
    #expect(sent.notes == ["cached(hit)"])
    let refresh = try #require(bench.session.open.first)
    #expect(refresh.request.options.priority == .low)
    #expect(refresh.request.options.coalesces == false)
    #expect(refresh.request.timeouts.whole == 7)
    bench.background.close()
    #expect(bench.session.open.isEmpty)
    bench.send()
    #expect(bench.session.open.isEmpty)
  }

  @Test func signOutEndsAndPreventsRefreshes() {
    store("max-age=60, stale-while-revalidate=600")
    store("max-age=60, stale-while-revalidate=600", "b")
    wait(61)
    bench.send { $0.context.identity = .first }
    #expect(bench.session.open.count == 1)
    bench.background.cancelAll(before: .first.next)
    #expect(bench.session.open.isEmpty)
    bench.send("b") { $0.context.identity = .first }
    #expect(bench.session.open.isEmpty)
  }

  @Test func wrongConfirmationRequestsTheWholeResponse() {
    store("max-age=60")
    wait(61)
    let sent = bench.send()
    bench.session.open.first?.answer(304, ["ETag": "\"2\""])
    #expect(bench.session.open.count == 1)
    #expect(sent.ends.isEmpty)
    sent.task.cancel()
    #expect(bench.session.open.isEmpty)
    #expect(sent.ends == ["cancelled"])
  }
}
