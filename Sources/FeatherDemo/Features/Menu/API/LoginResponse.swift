import WebServices

/// The answer to a login.
struct LoginResponse: Decodable, Equatable, Sendable {
  /// Whatever the server makes of ids, a number or a string, it is a string here.
  @StringID var userId: String
  let name: String
}
