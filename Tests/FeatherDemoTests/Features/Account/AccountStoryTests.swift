@testable import WebServicesTestSupport

@testable import FeatherDemo

@Suite struct AccountStoryTests {
  private let sessions = Locked<[MockURLSession]>([])
  private let events = Locked<[String]>([])

  /// - Parameter script: sets up each configuration's session; its number counts from 0.
  private func run(_ script: @escaping @Sendable (MockURLSession, Int) -> Void) async throws {
    let (user, sessions, events) = (AppUser(), sessions, events)
    let back = Back(user: user, base: URL(string: "http://localhost")) { config in
      config.session = {
        let session = MockURLSession()
        script(session, sessions.withLock { $0.count })
        sessions.withLock { $0.append(session) }
        return session
      }
    }
    try await AccountStory(user: user, back: back) { event in events.withLock { $0.append(event) } }.run(
      first: AppUser.Credentials(username: "ann", password: "hunter2"),
      second: AppUser.Credentials(username: "bob", password: "hunter2"))
  }

  @Test func switchingUsersCancelsTheFormerUsersCall() async throws {
    try await run { session, number in
      let name = ["nobody", "ann", "bob", "nobody"][min(number, 3)]
      session.script(.post, "/authorize", .json(#"{"token": "token-\#(number)"}"#))
      session.script(.post, "/deauthorize", .status(204))
      session.script(.get, "/account", name == "nobody" ? .status(401) : .json(#"{"username": "\#(name)"}"#))
      session.script(.get, AccountStory.slowCall, .never)
    }
    #expect(
      events.withLock { $0 } == [
        "Signed in as ann.", "The account is ann's.", "A slow call is in progress, for ann.", "Signed in as bob.",
        "The slow call was cancelled: its user isn't signed in any more.", "The account is bob's.", "Signed out.",
        "The account was refused: nobody is signed in.",
      ])
    let sessions = sessions.withLock { $0 }
    #expect(sessions.count == 4 && sessions.prefix(3).allSatisfy { $0.isInvalidated })
    let tokens = sessions.map { session in
      Set(session.requests.map { $0.value(forHTTPHeaderField: "Authorization") ?? "none" })
    }
    expectEqual(tokens, [["none"], ["Bearer token-0"], ["Bearer token-1"], ["none"]])
  }

  @Test func refusedSignInEndsTheStory() async {
    let error = await thrown { try await run { session, _ in session.script(.post, "/authorize", .status(401)) } }
    expectEqual(error?.kind, .statusCode(401))
    #expect(events.withLock { $0.isEmpty })
  }
}
