import WebServices

/// The response to a login.
struct LoginResponse: Codable, Equatable, Sendable {
  /// The user's id. A server may send a number or a string; the app always gets a string.
  @StringID var userId: String
  let name: String
}
