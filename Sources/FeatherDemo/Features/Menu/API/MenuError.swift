import WebServices

/// The body of the server's error responses.
struct MenuResponseError: Decodable, Equatable, Sendable {
  let message: String
  /// The server's code for this failure; `nil` if the server sent none.
  @StringID var code: String?
}

/// The app's own error for an error response.
enum MenuError: Error, Equatable {
  /// An error response without a readable body.
  case generalResponseError
  /// A login with wrong or missing credentials.
  case unauthorizedAccess(MenuResponseError)
  /// Any other error, with the server's description.
  case response(MenuResponseError)
}

extension ResponseValidator {
  /// Maps the server's error bodies to ``MenuError``.
  static let menuErrors = serverErrors(
    MenuResponseError.self, otherwise: MenuError.generalResponseError
  ) { body, response in
    response.statusCode == 401 ? MenuError.unauthorizedAccess(body) : MenuError.response(body)
  }

  /// All checks of a response. The first validator that fails decides.
  static let menu = [menuErrors, successfulStatus, contentTypes("application/json")]
}
