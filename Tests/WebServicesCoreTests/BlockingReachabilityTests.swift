import Dispatch
import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore

/// A reachability check whose `isConnected()` blocks after `block()`, until `open()`.
private final class BlockingReachability: ReachabilityCheckable {
  /// The calls that are blocked or were blocked.
  let blockedCalls = Collector<Void>()
  private let isOnline: Bool
  private let freeCalls: Locked<Int>
  private let gate = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - isOnline: the result of calls that don't block.
  ///   - freeCalls: the number of calls that don't block.
  init(isOnline: Bool, freeCalls: Int = .max) {
    self.isOnline = isOnline
    self.freeCalls = Locked(freeCalls)
  }

  func isConnected() -> Bool {
    let isFree = freeCalls.withLock { count in
      count -= 1
      return count >= 0
    }
    guard !isFree else { return isOnline }
    blockedCalls.append(())
    gate.wait()
    gate.signal()
    return true
  }

  /// Makes every later call block.
  func block() { freeCalls.withLock { $0 = 0 } }

  /// Releases every call, now and later.
  func open() { gate.signal() }
}

@Suite(.timeLimit(.minutes(1)))
struct BlockingReachabilityTests {
  private static let city = City(name: "Bath")

  private func service(_ reachability: BlockingReachability, _ session: MockURLSession) -> JsonWebService {
    var configuration = WebServiceConfiguration(timeout: 30)
    configuration.connectivity = .wait(upTo: 30, interval: 0.05)
    configuration.retry = RetryPolicy(maximumAttempts: 2, backoff: Backoff(base: 0.01))
    return JsonWebService(
      session: session, tokenManager: FakeTokenManager(), reachability: reachability, configuration: configuration)
  }

  private func send(_ service: JsonWebService, count: Int = 1) -> Collector<WebServiceResult<City>> {
    let results = Collector<WebServiceResult<City>>()
    for _ in 0..<count {
      service.sendRequest(TestRequest(), callbackQueue: .global()) { results.append($0) }
    }
    return results
  }

  /// Waits until the clock of the whole process has a timer.
  private func waitForTimer() async {
    await withCheckedContinuation { continuation in
      _ = SystemClock.shared.schedule(after: 0.001) { continuation.resume() }
    }
  }

  @Test func waitingRequestsDelayNoTimer() async {
    let count = 100
    let reachability = BlockingReachability(isOnline: false)
    let session = MockURLSession()
    session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let service = service(reachability, session)
    let results = send(service, count: count)
    reachability.block()
    await reachability.blockedCalls.waitForElements(1)
    for _ in 0..<10 { await waitForTimer() }
    #expect(reachability.blockedCalls.elements.count == 1)
    #expect(results.elements.isEmpty)
    reachability.open()
    await results.waitForElements(count)
    #expect(results.elements.allSatisfy { $0.model == Self.city })
  }

  @Test func retriedRequestDelaysNoTimer() async {
    let reachability = BlockingReachability(isOnline: true, freeCalls: 1)
    let session = MockURLSession()
    session.script(.get, "/cities", .response(status: 503))
    session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let service = service(reachability, session)
    let results = send(service)
    await reachability.blockedCalls.waitForElements(1)
    for _ in 0..<10 { await waitForTimer() }
    #expect(results.elements.isEmpty)
    reachability.open()
    await results.waitForElements(1)
    #expect(results.elements.map(\.model) == [Self.city])
  }

  @Test func cancelledRequestIsNotSentAfterTheNetworkCheck() async {
    let reachability = BlockingReachability(isOnline: false, freeCalls: 1)
    let session = MockURLSession()
    let service = service(reachability, session)
    let results = Collector<WebServiceResult<City>>()
    let task = service.sendRequest(TestRequest(), callbackQueue: .global()) { results.append($0) }
    await reachability.blockedCalls.waitForElements(1)
    task.cancel()
    await results.waitForElements(1)
    reachability.open()
    await withCheckedContinuation { continuation in
      UserCallbackQueue.shared.async(flags: .barrier) { continuation.resume() }
    }
    #expect(results.elements.map(\.error?.kind) == [.cancelled])
    #expect(session.requests.isEmpty)
  }
}
