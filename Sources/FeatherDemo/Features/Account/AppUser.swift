import WebServices

/// The signed-in user. Observers follow `identities`. An app with SwiftUI would make this type an `ObservableObject`
/// too.
final class AppUser: Sendable {
  /// The user who is signed in, or nobody.
  enum Identity: Hashable, Sendable {
    case unauthorized
    case authorized(Info)
  }

  let identities = IdentitySource(Identity.unauthorized)

  /// Changes the identity. Once this returns, the backend sends requests with the new identity only.
  func set(identity: Identity) {
    identities.set(identity)
  }

  func authorize(with credentials: Credentials, at back: Server) async throws {
    let response = try await back.request(
      type: .post, path: "/authorize", send: .json(credentials), take: .json(AuthorizationResponse.self))
    set(identity: .authorized(.init(username: credentials.username, token: response.token)))
  }

  func deauthorize(at back: Server) async throws {
    try await back.request(type: .post, path: "/deauthorize", send: .void(), take: .void())
    set(identity: .unauthorized)
  }
}

extension AppUser.Identity {
  /// The name and the token of a signed-in user.
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

// Descriptions omit the token and the password, so that they can't reach a log.
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
