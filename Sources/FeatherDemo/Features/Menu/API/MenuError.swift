import WebServices

/// The body of the server's error responses.
struct MenuResponseError: Decodable, Equatable, Sendable {
  let message: String
  /// The server's code for this failure; `nil` if the server sent none.
  var code: ServerID?
}

/// The app's own error for an error response.
enum MenuError: Error, Equatable {
  /// An error response without a readable body.
  case generalResponseError
  /// A login with wrong or missing credentials.
  case unauthorizedAccess(MenuResponseError)
  /// Any other error, with the server's description.
  case response(MenuResponseError)

  /// The server's own words, for the user; `nil` if it sent none.
  var words: String? {
    switch self {
    case .generalResponseError: nil
    case .unauthorizedAccess(let body), .response(let body):
      "The service says: \(Wording.oneLine(body.message))"
        + (body.code.map { " (\(Wording.oneLine($0.description)))" } ?? "")
    }
  }
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
