import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore

@Suite struct WaitingForConnectivityTests {
  private func bench(_ policy: ConnectivityPolicy = .wait(upTo: 10, interval: 1)) -> HeldBench {
    let bench = HeldBench { configuration in
      configuration.connectivity = policy
      configuration.retry = .standard
    }
    bench.reachability.set(isConnected: false)
    return bench
  }

  @Test func offlineRequestFailsAtOnceByDefault() async {
    let bench = bench(.failAtOnce)
    let (_, results) = bench.send()
    await bench.settle()
    let error = results.elements.first?.error
    #expect(error?.kind == .noConnection)
    #expect(error?.phase == .admit)
    #expect(error?.attemptCount == 0)
    bench.expectNothingLeft()
  }

  @Test func waitingRequestIsSentOnceOnline() async {
    let bench = bench()
    let (_, results) = bench.send(authorization: .bearer)
    bench.clock.advance(by: 5)
    bench.reachability.set(isConnected: true)
    #expect(bench.session.exchanges.isEmpty)
    bench.clock.advance(by: 1)
    await bench.passAppCode()
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    #expect(bench.story().filter { $0 == "waiting(connectivity)" }.count == 1)
    bench.expectNothingLeft()
  }

  @Test func networkWaitHasALimit() async {
    let bench = bench()
    let (_, results) = bench.send()
    bench.clock.advance(by: 9.9)
    await bench.settle()
    #expect(results.elements.isEmpty)
    bench.clock.advance(by: 0.2)
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.noConnection])
    bench.expectNothingLeft()
  }

  @Test func tinyRestOfAWaitIsNoWait() async {
    let clock = VirtualClock(now: 1e9 + 0.1)
    let bench = HeldBench(clock: clock) { $0.connectivity = .wait(upTo: 6.000_000_02, interval: 0.1) }
    bench.reachability.set(isConnected: false)
    let (_, results) = bench.send()
    clock.advance(by: 7)
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.noConnection])
    bench.expectNothingLeft()
  }

  @Test(arguments: ["cancel", "shutdown", "deadline"])
  func endDuringTheWaitEndsTheRequest(how: String) async {
    let bench = bench()
    let (task, results) = bench.send(options: RequestOptions { $0.deadline = how == "deadline" ? 3 : nil })
    bench.clock.advance(by: 3)
    if how == "cancel" { task.cancel() }
    if how == "shutdown" { bench.service.invalidateAndCancel() }
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [how == "deadline" ? .timedOut : .cancelled])
    bench.reachability.set(isConnected: true)
    bench.clock.advance(by: 20)
    #expect(bench.session.exchanges.isEmpty)
    bench.expectNothingLeft()
  }

  @Test func requestMayOverrideTheConnectivityPolicy() async {
    let bench = bench(.failAtOnce)
    let (_, results) = bench.send(options: RequestOptions { $0.connectivity = .wait(upTo: 5) })
    bench.reachability.set(isConnected: true)
    bench.clock.advance(by: 1)
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    bench.expectNothingLeft()
  }

  @Test func eachAttemptWaitsForTheNetwork() async {
    let bench = bench()
    bench.reachability.set(isConnected: true)
    let (_, results) = bench.send()
    bench.reachability.set(isConnected: false)
    bench.session.open.first?.fail(URLError(.networkConnectionLost))
    bench.clock.advance(by: 4)
    #expect(bench.session.exchanges.count == 1)
    bench.reachability.set(isConnected: true)
    bench.clock.advance(by: 1)
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    bench.expectNothingLeft()
  }
}
