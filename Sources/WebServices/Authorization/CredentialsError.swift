public import Foundation

/// Why no credentials could be made for a request. It stands under a `WebServiceError` of kind `.token`.
public enum CredentialsError: Error, Equatable, Sendable {
  /// The type needs a token and there was none.
  case noToken
  /// The user's name has a colon in it, which would make the rest of it a part of the password (RFC 7617, section 2).
  case colonInUser
  /// A name isn't a token or a value holds a control character; `name` is that of the first such field.
  case notSendable(name: String)
}

extension CredentialsError: LocalizedError, CustomStringConvertible {
  /// What is wrong with the credentials, in words for developers.
  public var description: String {
    switch self {
    case .noToken: "the authorization needs a token, and there is none"
    case .colonInUser: "the user's name has a colon in it"
    case .notSendable(let name): "the header field \(name) of the credentials can't be sent"
    }
  }

  /// The same as `description`.
  public var errorDescription: String? { description }
}
