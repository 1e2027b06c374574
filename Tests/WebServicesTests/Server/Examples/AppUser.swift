import Foundation
import WebServices

/// The signed-in user of the examples. An app with SwiftUI would make it an `ObservableObject`.
final class AppUser: Sendable {
  enum Identity: Hashable, Sendable {
    case unauthorized
    case authorized(Info)
  }

  struct Info: Codable, Hashable, Sendable {
    let username: String
    let token: String
    let url: URL
  }

  struct Credentials: Codable, Sendable {
    let username: String
    let password: String
  }

  fileprivate struct AuthorizationResponse: Decodable {
    let token: String
    let url: URL
  }

  let identities = IdentitySource(Identity.unauthorized)

  var identity: Identity { identities.identity }

  /// Changes the identity. Once this returns, the backend sends requests with the new identity only.
  func set(identity: Identity) {
    identities.set(identity)
  }

  func authorize(with credentials: Credentials, at server: Server) async throws {
    let response = try await server.request(
      type: .post, path: "/authorize", send: .json(credentials), take: .json(AuthorizationResponse.self))
    set(identity: .authorized(Info(username: credentials.username, token: response.token, url: response.url)))
  }

  func deauthorize(at server: Server) async throws {
    try await server.request(type: .post, path: "/deauthorize", send: .void(), take: .void())
    set(identity: .unauthorized)
  }
}
