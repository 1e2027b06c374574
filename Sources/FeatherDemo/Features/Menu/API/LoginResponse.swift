import WebServices

/// The response to a login.
struct LoginResponse: Codable, Equatable, Sendable {
  /// The user's id.
  let userId: ServerID
  let name: String
}
