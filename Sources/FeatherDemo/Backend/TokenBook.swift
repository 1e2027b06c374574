import Foundation
import WebServices

/// The valid tokens that the backend has issued, each with its user. Call `issue` at a sign-in, `renew` and `user` for
/// a request's token, and `forget` at a sign-out.
struct TokenBook: Sendable {
  static let secondsRemaining = 600

  private var entries: [String: (user: String, expiry: TimeInterval)] = [:]

  mutating func issue(to user: String, now: TimeInterval) -> AuthenticationInfo {
    // Expired tokens go here, or a backend that runs for days would keep them all.
    entries = entries.filter { $0.value.expiry > now }
    let token = UUID().uuidString
    entries[token] = (user, now + TimeInterval(Self.secondsRemaining))
    return AuthenticationInfo(apiToken: token, secondsRemaining: Self.secondsRemaining)
  }

  /// Replaces a valid token with a new one. The old token becomes invalid.
  mutating func renew(_ token: String, now: TimeInterval) -> AuthenticationInfo? {
    guard let user = user(of: token, now: now) else { return nil }
    forget(token)
    return issue(to: user, now: now)
  }

  mutating func forget(_ token: String) {
    entries[token] = nil
  }

  /// The user of a valid token.
  func user(of token: String, now: TimeInterval) -> String? {
    entries[token].flatMap { $0.expiry > now ? $0.user : nil }
  }
}
