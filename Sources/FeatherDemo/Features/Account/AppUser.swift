import WebServices

/// Who is signed in. Everything that depends on it follows `identities`; in an app with SwiftUI it would be an
/// `ObservableObject` too.
final class AppUser: Sendable {
  enum Identity: Hashable, Sendable {
    case unauthorized
    case authorized(Info)
  }

  let identities = IdentitySource(Identity.unauthorized)

  var identity: Identity { identities.identity }

  /// When this returns, the backend sends requests of this identity only.
  func set(identity: Identity) {
    identities.set(identity)
  }

  func authorize(with credentials: Credentials, at back: Server) async throws {
    let response =
      try await back
      .request(
        type: .post,
        path: "/authorize",
        send: .json(credentials),
        take: .json(AuthorizationResponse.self)
      )

    set(
      identity: .authorized(
        .init(
          username: credentials.username,
          token: response.token
        )))
  }

  func deauthorize(at back: Server) async throws {
    try await back
      .request(
        type: .post,
        path: "/deauthorize",
        send: .void(),
        take: .void()
      )

    set(identity: .unauthorized)
  }
}

extension AppUser.Identity {
  struct Info: Codable, Hashable, Sendable {
    let username: String
    let token: String
  }
}

extension AppUser {
  struct Credentials: Codable, Sendable {
    let username: String
    let password: String
  }

  struct AuthorizationResponse: Codable, Sendable {
    let token: String
  }
}

// A token and a password are nobody's to look at.
extension AppUser.Identity: CustomStringConvertible {
  var description: String {
    switch self {
    case .unauthorized: "nobody"
    case .authorized(let info): info.username
    }
  }
}

extension AppUser.Identity.Info: CustomStringConvertible, CustomReflectable {
  var description: String { username }
  var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}

extension AppUser.Credentials: CustomStringConvertible, CustomReflectable {
  var description: String { username }
  var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}
