import Foundation
import WebServicesTesting

/// Scripts the feature's responses for a build with `USE_FAKES`. Each configuration has its own session, which responds
/// to that configuration's user. Each sign-in gets a new token.
enum AccountFakes {
  private static let firstPrefix = "canned-first-"
  private static let secondPrefix = "canned-second-"

  /// - Parameter authorization: the `Authorization` field of the configuration; `nil` while nobody is signed in.
  static func script(_ session: MockURLSession, for arguments: Arguments, authorization: String?) {
    let prefix = authorization == nil ? firstPrefix : secondPrefix
    session.script(.post, "/authorize", .json(#"{"token": "\#(prefix)\#(UUID().uuidString)"}"#))
    session.script(.post, "/deauthorize", .response(status: 204))
    session.script(.get, "/account", account(for: arguments, authorization: authorization))
    for call in AccountStory.slowCalls + [AccountStory.lastSlowCall] { session.script(.get, call, .never) }
  }

  private static func account(for arguments: Arguments, authorization: String?) -> MockResponse {
    guard let authorization else { return .response(status: 401) }
    let isSecond = authorization.contains(secondPrefix)
    let username = isSecond ? AccountStory.secondUser : arguments.user ?? DemoAccount.user
    return .json((try? JSONText.of(AccountStory.Account(username: username))) ?? "{}")
  }
}
