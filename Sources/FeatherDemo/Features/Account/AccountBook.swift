import Foundation

/// Maps the backend's tokens to users: `signIn` makes a token, and `signOut` forgets it. The book keeps the latest
/// hundred tokens.
struct AccountBook: Sendable {
  static let capacity = 100

  private var usernames: [String: String] = [:]
  private var tokens: [String] = []

  mutating func signIn(_ username: String) -> String {
    let token = UUID().uuidString
    usernames[token] = username
    tokens.append(token)
    if tokens.count > Self.capacity { signOut(tokens.first) }
    return token
  }

  mutating func signOut(_ token: String?) {
    guard let token else { return }
    usernames[token] = nil
    tokens.removeAll { $0 == token }
  }

  func username(for token: String?) -> String? {
    token.flatMap { usernames[$0] }
  }
}
