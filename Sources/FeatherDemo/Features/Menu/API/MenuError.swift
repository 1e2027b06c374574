import WebServices

/// What the server's errors look like.
struct MenuResponseError: Decodable, Equatable, Sendable {
  let message: String
  /// What the server calls this failure, where it says.
  @StringID var code: String?
}

/// What the app makes of an answer that is an error.
enum MenuError: Error, Equatable {
  /// An error without words of the server's.
  case generalResponseError
  /// Wrong credentials, or none.
  case unauthorizedAccess(MenuResponseError)
  /// Any other error, in the server's words.
  case response(MenuResponseError)
}

extension ResponseValidator {
  /// Makes the app's own error of the server's.
  static let menuErrors = serverErrors(
    MenuResponseError.self, otherwise: MenuError.generalResponseError
  ) { body, response in
    response.statusCode == 401 ? MenuError.unauthorizedAccess(body) : MenuError.response(body)
  }

  /// All that the service asks of an answer. The first that refuses decides.
  static let menu = [menuErrors, successfulStatus, contentTypes("application/json")]
}
