import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore
@testable import WebServicesResilience

@Suite struct LimitingSessionTests {
  private let bench = LayerBench([.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))])

  private var limiter: RequestLimiter? { (bench.layered as? LimitingSession)?.limiter }

  private func expectNothingLeft() {
    #expect(limiter?.inFlightCount == 0)
    #expect(limiter?.waitingCount == 0)
  }

  @Test func emptyLimitsAddNoSession() {
    let bench = LayerBench([.limits(.none)])
    #expect(!(bench.layered is LimitingSession))
  }

  @Test func waitingRequestStartsItsTimeoutWhenSent() {
    let first = bench.send("first")
    let second = bench.send("second")
    #expect(bench.session.paths == ["/first"])
    #expect(first.notes == ["starts", "sent"])
    #expect(second.notes == ["waiting(limit)"])
    bench.session.open.first?.answer()
    #expect(second.notes == ["waiting(limit)", "starts", "sent"])
    bench.session.open.first?.answer()
    #expect([first, second].map(\.ends) == [["200"], ["200"]])
    expectNothingLeft()
  }

  @Test func placeIsFreeInCompletion() {
    let session = bench.session
    var request = TransportRequest(url: LayerBench.url)
    request.context.observer = nil
    let inFlight = Collector<Int?>()
    bench.layered.transferTask(with: request) { [limiter] _ in inFlight.append(limiter?.inFlightCount) }.resume()
    session.open.first?.answer()
    #expect(inFlight.elements == [0])
  }

  @Test func freedPlaceDuringBulkCancel() {
    let first = bench.send("first")
    let doomed = (0..<3).map { bench.send("\($0)") }
    let last = bench.send("last")
    for request in doomed { request.observer.mayBeSent.withLock { $0 = false } }
    first.task.cancel()
    #expect(bench.session.paths == ["/first", "/last"])
    #expect(doomed.map(\.ends) == Array(repeating: ["cancelled"], count: 3))
    bench.session.open.first?.answer()
    #expect(last.ends == ["200"])
    expectNothingLeft()
  }

  @Test func withdrawnRequestReportsItsWait() {
    bench.send("first")
    let second = bench.send("second")
    #expect(second.task.withdrawIfUnsent() == .turn(host: "api.example.com", limit: 1))
    #expect(second.ends == ["cancelled"])
    bench.session.open.first?.answer()
    #expect(bench.session.paths == ["/first"])
    expectNothingLeft()
  }

  @Test func cancelBeforeResumeTakesNoPermit() {
    for _ in 0..<3 { bench.send(resumes: false).task.cancel() }
    expectNothingLeft()
    bench.send("last")
    #expect(bench.session.paths == ["/last"])
  }

  @Test func bypassingRequestSkipsTheQueue() {
    bench.send("first")
    bench.send("second")
    let third = bench.send("third") { $0.options.bypassesLimits = true }
    #expect(bench.session.paths == ["/first", "/third"])
    #expect(third.notes == ["starts", "sent"])
  }
}
