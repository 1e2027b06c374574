import Dispatch
import WebServices

/// The story of the `account` command. A user signs in and starts a slow call. Before that ends, a second user signs in
/// and later signs out. `run` plays the story and reports each event.
struct AccountStory: Sendable {
  /// The account of the signed-in user.
  struct Account: Codable, Sendable {
    let username: String
  }

  /// The user who signs in second.
  static let secondUser = "guest"
  static let slowCall = "/account/slow"

  let user: AppUser
  let back: Back
  /// Receives a sentence for each event, as it happens.
  let report: @Sendable (String) -> Void

  func run(first: AppUser.Credentials, second: AppUser.Credentials) async throws {
    try await user.authorize(with: first, at: back)
    report("Signed in as \(first.username).")
    try await callAccount()
    let slowCall = startSlowCall()
    report("A slow call is in progress, for \(first.username).")
    try await user.authorize(with: second, at: back)
    report("Signed in as \(second.username).")
    for await result in slowCall { report(try Self.sentence(of: result)) }
    try await callAccount()
    try await user.deauthorize(at: back)
    report("Signed out.")
    try await callAccount()
  }

  /// Requests the account of the signed-in user.
  private func callAccount() async throws {
    let account: Account? = try await back.request(type: .get, path: "/account", take: .optional(.json(), on: 401))
    report(account.map { "The account is \($0.username)'s." } ?? "The account was refused: nobody is signed in.")
  }

  /// Sends a slow call. The call is in progress when this returns.
  private func startSlowCall() -> AsyncStream<Result<Account, any Error>> {
    // The stream keeps the result until somebody asks for it.
    let (ends, end) = AsyncStream<Result<Account, any Error>>.makeStream()
    back.request(type: .get, path: Self.slowCall, take: .json(Account.self), callbackQueue: .global()) { result in
      end.yield(result)
      end.finish()
    }
    return ends
  }

  private static func sentence(of result: Result<Account, any Error>) throws -> String {
    do {
      return "The slow call succeeded, for \(try result.get().username)."
    } catch let error as WebServiceError where error.kind == .cancelled {
      // Expected: the swap of the configuration has cancelled the call.
      return "The slow call was cancelled: its user isn't signed in any more."
    }
  }
}
