import Foundation
import WebServices

/// The valid tokens that the backend has issued. Call `issue` at a sign-in, `renew` and `isValid` for a request's
/// token.
struct TokenBook: Sendable {
  static let secondsRemaining = 600

  private var expiries: [String: TimeInterval] = [:]

  mutating func issue(now: TimeInterval) -> AuthenticationInfo {
    // Expired tokens go here, or a backend that runs for days would keep them all.
    expiries = expiries.filter { $0.value > now }
    let token = UUID().uuidString
    expiries[token] = now + TimeInterval(Self.secondsRemaining)
    return AuthenticationInfo(apiToken: token, secondsRemaining: Self.secondsRemaining)
  }

  /// Replaces a valid token with a new one. The old token becomes invalid.
  mutating func renew(_ token: String?, now: TimeInterval) -> AuthenticationInfo? {
    guard let token, isValid(token, now: now) else { return nil }
    expiries[token] = nil
    return issue(now: now)
  }

  func isValid(_ token: String?, now: TimeInterval) -> Bool {
    guard let token, let expiry = expiries[token] else { return false }
    return expiry > now
  }
}
