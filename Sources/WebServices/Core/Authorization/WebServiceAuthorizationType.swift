import Foundation

/// The credentials that a request needs, and their place in the request.
public enum WebServiceAuthorizationType: Hashable, Sendable, DescriptionOnly {
  /// No credentials.
  case none
  /// The token manager's token, in the header `api-token`.
  case apiToken
  /// The token manager's token, in a header of this name. The prefix stands before the token, with its space:
  /// `.header(named: "Authorization", prefix: "Token ")`.
  case header(named: String, prefix: String = "")
  /// The token manager's token as a bearer token (RFC 6750, section 2.1).
  case bearer
  /// This token as a bearer token, without the token manager. You write it as `.bearer(token)`.
  case bearerToken(String)
  /// The user and password of the request (RFC 7617), without the token manager.
  case basic(user: String, password: String)
  /// Your own scheme, which gets the finished request.
  case custom(RequestSigner)

  /// A bearer token that doesn't change, without the token manager.
  public static func bearer(_ token: String) -> WebServiceAuthorizationType { .bearerToken(token) }

  /// Whether the request needs a token of the token manager.
  public var needsToken: Bool {
    switch self {
    case .none, .basic, .bearerToken: false
    case .apiToken, .header, .bearer: true
    case .custom(let signer): signer.needsToken
    }
  }

  /// Makes the header fields that carry the credentials. Each replaces the request's own field of its name. All of them
  /// can be sent.
  ///
  /// - Parameters:
  ///   - request: the request for an app's own scheme, without credentials.
  ///   - token: the token manager's; `nil` only where `needsToken` is false.
  /// - Throws: a `TokenError`, or the error that the app's own scheme throws.
  func credentials(for request: TransportRequest?, token: AccessToken?) throws -> [HTTPHeaders.Field] {
    guard !needsToken || token != nil else { throw TokenError.notSignedIn }
    var fields: [HTTPHeaders.Field] = []
    switch self {
    case .none: break
    case .apiToken, .header, .bearer: fields = token.map { [field($0.value)] } ?? []
    case .bearerToken(let token): fields = [field(token)]
    case .basic(let user, let password):
      guard !user.utf8.contains(UInt8(ascii: ":")) else { throw TokenError.colonInUser }
      // UTF-8 is the one charset that a server can ask for (RFC 7617, section 2.1).
      fields = [field(Data("\(user):\(password)".utf8).base64EncodedString())]
    case .custom(let signer): fields = try request.map { try signer.sign($0, token: token).fields } ?? []
    }
    if let field = HTTPHeaders(fields).firstInvalidField { throw TokenError.notSendable(name: field.name) }
    return fields
  }

  private func field(_ value: String) -> HTTPHeaders.Field {
    HTTPHeaders.Field(name: place.name, value: place.prefix + value)
  }

  /// The field of a scheme that has one field, and the text before the credentials.
  private var place: (name: String, prefix: String) {
    switch self {
    case .none, .custom: ("", "")
    case .apiToken: ("api-token", "")
    case .header(let name, let prefix): (name, prefix)
    case .bearer, .bearerToken: ("Authorization", "Bearer ")
    case .basic: ("Authorization", "Basic ")
    }
  }

  var isNone: Bool { if case .none = self { true } else { false } }

  /// The app's own scheme, whose credentials are valid for only one method, URL and body. A redirect within the origin
  /// then needs new credentials.
  var signer: RequestSigner? { if case .custom(let signer) = self { signer } else { nil } }

  /// The values of the fields and the secrets in them, which no description may show. The path of a signed request
  /// doesn't count as a secret: without the path no error would say which URL failed.
  func secrets(in fields: [HTTPHeaders.Field], of request: TransportRequest?) -> [String] {
    if case .custom = self {
      return fields.flatMap { [$0.value] + Self.parts(of: $0.value) }.filter {
        Substring($0) != request?.target?.pathAndQuery
      }
    }
    let secrets = fields.flatMap { [$0.value, String($0.value.dropFirst(place.prefix.count))] }
    return if case .basic(_, let password) = self { secrets + [password] } else { secrets }
  }

  /// The text after a scheme's name, and the value of each parameter (`Digest response="6629fae4", opaque="5ccc069c"`,
  /// RFC 9110, section 11.4). A server may repeat a single value.
  private static func parts(of value: String) -> [String] {
    // The realm is the name of what the password is for, and users need it (RFC 9110, section 11.5).
    let values = FieldCursor(value).challenges().flatMap(\.parameters).filter { $0.key != "realm" }.map(\.value)
    let afterScheme = value.split(separator: " ", maxSplits: 1).dropFirst().map { String($0) }
    return (afterScheme + values).filter(\.isLongAsSecret)
  }

  /// The scheme's name, without a credential.
  public var description: String {
    switch self {
    case .none: "none"
    case .apiToken: "api-token"
    case .header(let name, _): "header \(name)"
    case .bearer, .bearerToken: "bearer"
    case .basic: "basic"
    case .custom(let signer): "custom \(signer.name)"
    }
  }
}
