import Foundation
import WebServicesTesting

/// The feature's canned answers. Each configuration has a session of its own, and no session knows who asks: it is
/// always the one that was named. Each sign-in has a token of its own, as at a backend.
enum AccountFakes {
  static func script(_ session: MockURLSession, for arguments: Arguments) {
    let account = AccountStory.Account(username: arguments.user ?? DemoAccount.user)
    session.script(.post, "/authorize", .json(#"{"token": "canned-\#(UUID().uuidString)"}"#))
    session.script(.post, "/deauthorize", .response(status: 204))
    session.script(.get, "/account", .json((try? JSONText.of(account)) ?? "{}"))
    for call in AccountStory.slowCalls + [AccountStory.lastSlowCall] { session.script(.get, call, .never) }
  }
}
