import Dispatch
import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore

/// Two managers with one storage, as an app and its extension have.
@Suite(.leavesNothing) struct SharedStorageTests {
  /// Renews by the refresh token. A 400 ends the session.
  private struct Source: TokenSource {
    func requestToken(
      replacing former: RenewableToken?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      guard let former else { return completion(.failure(TokenError.notSignedIn)) }
      sender.send(RefreshRequest(token: former), completion: completion)
    }

    func endsSession(_ error: any Error) -> Bool { (error as? WebServiceError)?.kind == .statusCode(400) }
  }

  private struct Process {
    let backend = HeldService()
    let manager: BasicAuthManager
    let reasons = Collector<TokenError?>()
    let queue = DispatchQueue(label: "sign-out")

    init(_ storage: any TokenStorage, _ clock: VirtualClock) {
      manager = BasicAuthManager(storage: storage, clock: clock, source: Source())
      manager.attach(to: backend)
      manager.onSignOut(callbackQueue: queue) { [reasons] in reasons.append($0 as? TokenError) }
    }

    /// The reasons of the sign-outs so far.
    var signOuts: [TokenError?] {
      queue.sync {}
      return reasons.elements
    }
  }

  private let storage = InMemoryTokenStorage()
  private let clock = VirtualClock(now: 1000)
  private let (app, tool): (Process, Process)

  init() {
    app = Process(storage, clock)
    app.manager.update(apiToken: "a", secondsRemaining: 0, refreshToken: "r1")
    tool = Process(storage, clock)
  }

  private func renewInApp(secondsRemaining: Int = 600) {
    _ = app.manager.requestToken()
    app.backend.renew(to: "b", secondsRemaining: secondsRemaining, refreshToken: "r2")
  }

  @Test func renewedTokenIsAdopted() {
    renewInApp()
    #expect(tool.manager.requestToken().elements == [.token("b", generation: 2)])
    #expect(tool.backend.sent.isEmpty)
    #expect(tool.backend.signOutCount == 0)
  }

  @Test func expiredTokenIsRenewedByItsLatestRefreshToken() {
    renewInApp(secondsRemaining: 1)
    // The storage counts by the wall clock, and the token's remaining second is over for both clocks.
    storage.save(
      StoredToken(apiToken: "b", expiresAt: Date(timeIntervalSinceNow: -1), refreshToken: "r2", session: session))
    let outcomes = tool.manager.requestToken()
    #expect(tool.backend.sent.map { $0["refresh"] } == ["r2"])
    tool.backend.renew(to: "c", refreshToken: "r3")
    #expect(outcomes.elements == [.token("c", generation: 3)])
    #expect(storage.load()?.refreshToken == "r3")
  }

  @Test func rejectionOfUsedRefreshTokenKeepsNewerToken() {
    let outcomes = tool.manager.requestToken()
    renewInApp()
    tool.backend.fail(.statusCode(400))
    #expect(outcomes.elements == [.token("b", generation: 2)])
    #expect(storage.load()?.refreshToken == "r2")
    #expect(tool.signOuts.isEmpty)
  }

  @Test func rejectionOfLatestRefreshTokenSignsOut() {
    let outcomes = tool.manager.requestToken()
    tool.backend.fail(.statusCode(400))
    #expect(outcomes.elements == [.failed(.statusCode(400))])
    #expect(storage.load() == nil)
    #expect(tool.signOuts.count == 1)
  }

  @Test(arguments: [nil, "next"])
  func signOutElsewhereEndsTheSession(next: String?) {
    app.manager.clear()
    if let next { app.manager.update(apiToken: next, secondsRemaining: 600) }
    #expect(tool.manager.requestToken().elements == [.refused(.signedOut)])
    #expect(tool.backend.sent.isEmpty)
    #expect(tool.backend.signOutCount == 1)
    #expect(tool.signOuts == [.signedOut])
    #expect(tool.manager.apiToken == next)
    #expect(storage.load()?.apiToken == next)
  }

  @Test(arguments: [nil, "next"])
  func renewalInProgressDoesNotReplaceNextUser(next: String?) {
    let outcomes = tool.manager.requestToken()
    app.manager.clear()
    if let next { app.manager.update(apiToken: next, secondsRemaining: 600) }
    tool.backend.renew(to: "b", refreshToken: "r2")
    #expect(outcomes.elements == [.refused(.signedOut)])
    #expect(tool.manager.apiToken == next)
    #expect(storage.load()?.apiToken == next)
  }

  @Test func signOutKeepsNextUserOfAnotherManager() {
    app.manager.clear()
    app.manager.update(apiToken: "next", secondsRemaining: 600)
    #expect(tool.manager.clear())
    #expect(tool.manager.apiToken == nil)
    #expect(storage.load()?.apiToken == "next")
  }

  @Test func laterSignInElsewhereIsFound() {
    app.manager.clear()
    tool.manager.clear()
    #expect(tool.manager.requestToken().elements == [.refused(.notSignedIn)])
    app.manager.update(apiToken: "next", secondsRemaining: 600)
    #expect(tool.manager.requestToken().elements == [.token("next", generation: 2)])
    #expect(tool.signOuts == [nil])
  }

  @Test func signOutDeletesRenewedTokenOfAnotherManager() {
    renewInApp()
    #expect(tool.manager.clear())
    #expect(storage.load() == nil)
  }

  private var session: UUID? { storage.load()?.session }
}
