import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

@Suite struct AccountStoryTests {
  private let sessions = Locked<[MockURLSession]>([])
  private let received = Locked<[AccountEvent]>([])

  /// - Parameter script: sets up each configuration's session; its number counts from 0.
  private func run(
    second: String = "bob", _ script: @escaping @Sendable (MockURLSession, Int) -> Void
  ) async throws -> [AccountEvent] {
    let (user, sessions, received) = (AppUser(), sessions, received)
    let back = Back(user: user, base: URL(string: "http://localhost")) { config in
      config.session = {
        let session = MockURLSession()
        script(session, sessions.withLock { $0.count })
        sessions.withLock { $0.append(session) }
        return session
      }
    }
    let story = AccountStory(user: user, back: back) { event in received.withLock { $0.append(event) } }
    try await story.run(
      first: AppUser.Credentials(username: "ann", password: "hunter2"),
      second: AppUser.Credentials(username: second, password: "hunter2"))
    return received.withLock { $0 }
  }

  private func scriptAll(_ session: MockURLSession, _ number: Int) {
    let name = ["nobody", "ann", "bob", "nobody"][min(number, 3)]
    session.script(.post, "/authorize", .json(#"{"token": "token-\#(number)"}"#))
    session.script(.post, "/deauthorize", .response(status: 204))
    session.script(
      .get, "/account", name == "nobody" ? .response(status: 401) : .json(#"{"username": "\#(name)"}"#))
    for call in AccountStory.slowCalls + [AccountStory.lastSlowCall] { session.script(.get, call, .never) }
  }

  @Test func switchingUsersCancelsFormerUsersRequests() async throws {
    let events = try await run(scriptAll)
    let slow = AccountStory.slowCalls
    let expected =
      [
        AccountEvent(kind: .signedIn, user: "ann"),
        AccountEvent(kind: .succeeded, user: "ann", call: "/account", status: 200),
      ] + slow.map { AccountEvent(kind: .sent, user: "ann", call: $0) }
      + [AccountEvent(kind: .signedIn, user: "bob")]
      + slow.map { AccountEvent(kind: .cancelled, user: "ann", call: $0) } + [
        AccountEvent(kind: .succeeded, user: "bob", call: "/account", status: 200),
        AccountEvent(kind: .sent, user: "bob", call: AccountStory.lastSlowCall),
        AccountEvent(kind: .signedOut),
        AccountEvent(kind: .cancelled, user: "bob", call: AccountStory.lastSlowCall),
        AccountEvent(kind: .refused, call: "/account", status: 401),
      ]
    #expect(events == expected)
  }

  @Test func eachIdentityHasItsOwnSessionAndToken() async throws {
    _ = try await run(scriptAll)
    let sessions = sessions.withLock { $0 }
    #expect(sessions.count == 4)
    #expect(sessions.prefix(3).allSatisfy { $0.isInvalidated })
    let tokens = sessions.map { session in
      Set(session.requests.map { $0.value(forHTTPHeaderField: "Authorization") ?? "none" })
    }
    #expect(tokens == [["none"], ["Bearer token-0"], ["Bearer token-1"], ["none"]])
  }

  @Test func refusedSignInEndsTheDemonstration() async {
    let error = await #expect(throws: WebServiceError.self) {
      try await run { session, _ in session.script(.post, "/authorize", .response(status: 401)) }
    }
    #expect(error?.kind == .statusCode(401))
    #expect(received.withLock { $0.isEmpty })
  }

  @Test func unchangedIdentityKeepsTheSession() async throws {
    let call = AccountStory.slowCalls
    let events = try await run(second: "ann") { session, number in
      let isOver = number > 1
      session.script(.post, "/authorize", .json(#"{"token": "always the same"}"#))
      session.script(.post, "/deauthorize", .response(status: 204))
      session.script(.get, "/account", isOver ? .response(status: 401) : .json(#"{"username": "ann"}"#))
      for path in call { session.script(.get, path, .json(#"{"username": "ann"}"#)) }
      session.script(.get, AccountStory.lastSlowCall, .never)
    }
    #expect(sessions.withLock { $0.count } == 3)
    #expect(events.filter { $0.kind == .succeeded }.count == 5)
    #expect(events.filter { $0.kind == .cancelled }.map(\.call) == [AccountStory.lastSlowCall])
  }
}
