import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

@Suite struct RenewalTests {
  @Test func tenThousandRequestsMakeOneRenewal() async {
    let bench = RenewalBench()
    bench.manager.update(apiToken: "old", secondsRemaining: 61)
    let answers = Collector<TokenAnswer>()
    await concurrently(10_000) { index in
      if index == 5000 { bench.clock.advance(by: 2) }
      bench.manager.ensureValidToken(ofType: .bearer) { answers.append(TokenAnswer($0)) }
      if index == 9000 { bench.backend.renew(to: "new") }
    }
    if bench.backend.openCount > 0 { bench.backend.renew(to: "new") }
    await answers.waitForElements(10_000)
    #expect(answers.elements.count == 10_000)
    #expect(Set(answers.elements.map(\.value)) == ["old", "new"])
    #expect(bench.backend.sent.count == 1)
    #expect(bench.clock.pendingTimerCount == 0)
  }

  @Test func tenThousandRefusalsMakeOneRenewal() async {
    let bench = RenewalBench()
    bench.manager.update(apiToken: "old", secondsRemaining: 600)
    let refused = AccessToken(value: "old", generation: 1)
    let answers = Collector<TokenAnswer>()
    await concurrently(10_000) { index in
      bench.manager.replaceRefusedToken(refused, for: nil) { answers.append(TokenAnswer($0)) }
      if index == 5000 { bench.backend.renew(to: "new") }
    }
    // The thread that sends the renewal may have been delayed until the other requests were done.
    if bench.backend.openCount > 0 { bench.backend.renew(to: "new") }
    await answers.waitForElements(10_000)
    #expect(answers.elements.allSatisfy { $0 == .token("new", generation: 2) })
    #expect(answers.elements.count == 10_000)
    #expect(bench.backend.sent.count == 1)
  }

  @Test func requestsDuringPauseFailAtOnce() async {
    let bench = RenewalBench()
    bench.manager.update(apiToken: "old", secondsRemaining: 0)
    let first = bench.request()
    bench.backend.fail()
    #expect(first.elements == [.failed(.statusCode(503))])
    let answers = Collector<TokenAnswer>()
    await concurrently(10_000) { _ in
      bench.manager.ensureValidToken(ofType: .bearer) { answers.append(TokenAnswer($0)) }
    }
    #expect(answers.elements.count == 10_000)
    #expect(answers.elements.allSatisfy { $0 == .failed(.statusCode(503)) })
    #expect(bench.backend.sent.count == 1)
    bench.clock.advance(by: 1)
    let later = bench.request()
    bench.backend.renew(to: "new")
    #expect(later.elements == [.token("new", generation: 2)])
  }

  @Test func failedEarlyRenewalLeavesValidToken() {
    let bench = RenewalBench()
    bench.manager.update(apiToken: "old", secondsRemaining: 50)
    let (first, second) = (bench.request(), bench.request())
    bench.backend.fail()
    #expect(first.elements == [.failed(.statusCode(503))])
    #expect(second.elements == first.elements)
    #expect(bench.request().elements == [.token("old", generation: 1)])
    #expect(bench.backend.sent.count == 1)
  }

  @Test func renewalEndsAfterItsTimeout() {
    let bench = RenewalBench(renewalTimeout: 5)
    bench.manager.update(apiToken: "old", secondsRemaining: 0)
    let answers = bench.request()
    bench.clock.advance(by: 4.9)
    #expect(answers.elements.isEmpty)
    #expect(bench.backend.openCount == 1)
    bench.clock.advance(by: 0.1)
    #expect(answers.elements == [.refused(.renewalTimedOut)])
    #expect(bench.backend.openCount == 0)
    #expect(bench.clock.pendingTimerCount == 0)
    #expect(bench.request().elements == [.refused(.renewalTimedOut)])
  }

  @Test(
    arguments: [(0, 30), (-1, 30), (TimeInterval.nan, 30), (.infinity, 86_400)])
  func oddTimeoutIsBounded(given: TimeInterval, meant: TimeInterval) {
    let bench = RenewalBench(renewalTimeout: given)
    bench.manager.update(apiToken: "old", secondsRemaining: 0)
    let answers = bench.request()
    bench.clock.advance(by: meant - 1)
    #expect(answers.elements.isEmpty)
    bench.clock.advance(by: 1)
    #expect(answers.elements == [.refused(.renewalTimedOut)])
  }

  @Test func timeoutEndsWithItsRenewal() {
    let bench = RenewalBench()
    bench.manager.update(apiToken: "old", secondsRemaining: 0)
    let first = bench.request()
    bench.clock.advance(by: 20)
    bench.backend.renew(to: "new", secondsRemaining: 1)
    bench.clock.advance(by: 1)
    let second = bench.request()
    bench.clock.advance(by: 20)
    #expect(first.elements == [.token("new", generation: 2)])
    #expect(second.elements.isEmpty)
    bench.backend.renew(to: "newer")
    #expect(second.elements == [.token("newer", generation: 3)])
  }

  @Test func rotatingRefreshTokensAreUsedOnce() {
    let storage = InMemoryTokenStorage()
    let bench = RenewalBench(storage: storage)
    bench.manager.update(apiToken: "a", secondsRemaining: 0, refreshToken: "r1")
    let stored = Collector<String?>()
    for (token, refreshToken) in [("b", "r2"), ("c", "r3"), ("d", nil), ("e", nil)] {
      bench.manager.ensureValidToken(ofType: .bearer) { _ in stored.append(storage.load()?.refreshToken) }
      bench.backend.renew(to: token, secondsRemaining: 1, refreshToken: refreshToken)
      bench.clock.advance(by: 1)
    }
    #expect(bench.backend.sent.map { $0["refresh"] } == ["r1", "r2", "r3", "r3"])
    #expect(bench.backend.sent.map { $0["api-token"] } == ["a", "b", "c", "d"])
    #expect(stored.elements == ["r2", "r3", "r3", "r3"])
  }

  @Test func storageRestoresRefreshToken() {
    let storage = InMemoryTokenStorage(
      StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: -1000), refreshToken: "r1"))
    let bench = RenewalBench(storage: storage)
    #expect(bench.manager.isSessionExpired)
    let answers = bench.request()
    bench.backend.renew(to: "b")
    #expect(answers.elements == [.token("b", generation: 2)])
    #expect(bench.backend.sent.map { $0["refresh"] } == ["r1"])
  }

  @Test func expiredOrEmptyTokenIsAFailure() {
    let bench = RenewalBench()
    bench.manager.update(apiToken: "old", secondsRemaining: 0)
    let first = bench.request()
    bench.backend.renew(to: "new", secondsRemaining: 0)
    #expect(first.elements == [.refused(.expiredAnswer)])
    bench.clock.advance(by: 1)
    let second = bench.request()
    bench.backend.renew(to: "")
    #expect(second.elements == [.refused(.emptyAnswer)])
  }

  @Test func renewalThatNeedsTokenIsRefused() {
    let bench = RenewalBench()
    bench.manager.renewTokens(from: .refreshToken { RefreshRequest(token: $0, authorization: .bearer) })
    bench.manager.update(apiToken: "old", secondsRemaining: 0)
    #expect(bench.request().elements == [.refused(.renewalNeedsToken)])
    #expect(bench.backend.sent.isEmpty)
    #expect(bench.clock.pendingTimerCount == 0)
    bench.manager.renewTokens(
      from: .refreshToken { RefreshRequest(token: $0, authorization: .basic(user: "client", password: "secret")) })
    let answers = bench.request()
    bench.backend.renew(to: "new")
    #expect(answers.elements == [.token("new", generation: 2)])
  }

  @Test func newRenewalEndsPause() {
    let bench = RenewalBench()
    bench.manager.update(apiToken: "old", secondsRemaining: 0)
    _ = bench.request()
    bench.backend.fail()
    bench.manager.renewTokens { RequestDataForRenewToken(apiToken: $0) }
    let answers = bench.request()
    bench.backend.renew(to: "new")
    #expect(answers.elements == [.token("new", generation: 2)])
  }

  @Test func refusalStandsWithoutRenewal() {
    let manager = BasicAuthManager(clock: VirtualClock())
    manager.update(apiToken: "old", secondsRemaining: 600)
    let answers = Collector<TokenAnswer>()
    let managers: [any WebServiceTokenManageable] = [manager, FakeTokenManager()]
    let service = JsonWebService(session: MockURLSession(), tokenManager: manager)
    for manager in managers {
      manager.replaceRefusedToken(AccessToken(value: "old", generation: 1), ofType: .bearer, through: service) {
        answers.append(TokenAnswer($0))
      }
    }
    #expect(answers.elements == [.refused(.expired), .refused(.expired)])
  }

  @Test func signInCancelsRenewal() {
    let bench = RenewalBench()
    bench.manager.update(apiToken: "old", secondsRemaining: 0)
    let answers = bench.request()
    bench.manager.update(apiToken: "signed in", secondsRemaining: 600)
    #expect(answers.elements == [.token("signed in", generation: 2)])
    #expect(bench.backend.openCount == 0)
    #expect(bench.clock.pendingTimerCount == 0)
  }
}

extension TokenAnswer {
  /// The token; empty if there is none.
  fileprivate var value: String {
    if case .token(let value, _) = self { value } else { "" }
  }
}
