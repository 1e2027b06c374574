import Dispatch
import WebServices

/// The story of the `account` command. A user signs in and starts slow calls. Before those end, a second user signs in,
/// and later signs out. `run` plays the story and reports each event.
struct AccountStory: Sendable {
  /// The account of the signed-in user.
  struct Account: Codable, Sendable {
    let username: String
  }

  /// The user who signs in second.
  static let secondUser = "guest"
  static let slowCalls = ["/account/slow/1", "/account/slow/2", "/account/slow/3"]
  static let lastSlowCall = "/account/slow/4"

  let user: AppUser
  let back: Back
  /// Receives each event as it happens.
  let report: @Sendable (AccountEvent) -> Void

  func run(first: AppUser.Credentials, second: AppUser.Credentials) async throws {
    try await user.authorize(with: first, at: back)
    report(AccountEvent(kind: .signedIn, user: first.username))
    try await callAccount()
    let firstCalls = Self.slowCalls.map { startSlowCall($0, for: first.username) }

    try await user.authorize(with: second, at: back)
    report(AccountEvent(kind: .signedIn, user: second.username))
    for call in firstCalls { report(try await call.event()) }
    try await callAccount()

    let secondCall = startSlowCall(Self.lastSlowCall, for: second.username)
    try await user.deauthorize(at: back)
    report(AccountEvent(kind: .signedOut))
    report(try await secondCall.event())
    try await callAccount()
  }

  /// Requests the account of the signed-in user.
  private func callAccount() async throws {
    let path = "/account"
    let account: Account? = try await back.request(
      type: .get, path: path, take: .optional(.json(), on: 401))
    if let account {
      report(AccountEvent(kind: .succeeded, user: account.username, call: path, status: 200))
    } else {
      report(AccountEvent(kind: .refused, call: path, status: 401))
    }
  }

  /// Sends a slow call. The call is in progress when this returns.
  private func startSlowCall(_ path: String, for username: String) -> SlowCall {
    report(AccountEvent(kind: .sent, user: username, call: path))
    // The stream keeps the result until `event()` asks for it.
    let (ends, end) = AsyncStream<Result<Account, any Error>>.makeStream()
    back.request(type: .get, path: path, take: .json(Account.self), callbackQueue: .global()) { result in
      end.yield(result)
      end.finish()
    }
    return SlowCall(path: path, username: username, ends: ends)
  }
}

/// A call that is in progress.
private struct SlowCall: Sendable {
  let path: String
  let username: String
  let ends: AsyncStream<Result<AccountStory.Account, any Error>>

  /// Waits for the end of the call.
  ///
  /// - Throws: the error of the call, unless the call was cancelled.
  func event() async throws -> AccountEvent {
    for await result in ends {
      switch result {
      case .success(let account):
        return AccountEvent(kind: .succeeded, user: account.username, call: path, status: 200)
      // Expected: the swap of the configuration has cancelled the call.
      case .failure(let error as WebServiceError) where error.kind == .cancelled: break
      case .failure(let error): throw error
      }
    }
    return AccountEvent(kind: .cancelled, user: username, call: path)
  }
}
