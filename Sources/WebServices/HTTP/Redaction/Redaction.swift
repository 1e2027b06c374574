public import Foundation

/// Hides secrets in logs, descriptions and command lines, by the names of their fields. Call ``url(_:)``,
/// ``headers(_:)``, ``body(_:)`` or ``text(_:)`` for a text without secrets.
///
/// Names are compared without case. The standard names are always a part of a redaction; an app adds its own.
public struct Redaction: Sendable, Hashable {
  /// The text in the place of a secret.
  public static let placeholder = "<redacted>"

  /// Header fields whose values are hidden, in lower case.
  public private(set) var headerNames: Set<String>
  /// Query items, JSON members and form fields whose values are hidden, in lower case.
  public private(set) var fieldNames: Set<String>
  /// `fieldNames` without hyphens and underscores.
  private var plainFieldNames: Set<String>
  /// Values that are hidden in every place: the credentials that were sent with a request.
  private(set) var values = SecretValues()

  /// The usual secrets.
  public static let standard = Redaction()

  /// The usual secrets and an app's own.
  ///
  /// - Parameters:
  ///   - headerNames: more header fields to hide.
  ///   - fieldNames: more query items, JSON members and form fields to hide.
  public init(headerNames: [String] = [], fieldNames: [String] = []) {
    self.headerNames = Self.standardHeaderNames.union(headerNames.map { $0.lowercased() })
    self.fieldNames = Self.standardFieldNames.union(fieldNames.map { $0.lowercased() })
    plainFieldNames = Set(self.fieldNames.map(\.withoutJoiners))
  }

  private static let standardHeaderNames: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "api-token", "x-api-token", "api-key",
    "x-api-key", "x-auth-token", "x-csrf-token", "x-amz-security-token", "authentication-info",
    "x-access-token", "x-session-token", "x-xsrf-token", "x-goog-api-key", "x-vault-token", "private-token",
    "ocp-apim-subscription-key", "x-functions-key", "dpop",
  ]

  private static let standardFieldNames: Set<String> = [
    "password", "passwd", "passphrase", "secret", "client_secret", "clientsecret", "token", "apitoken",
    "api_token", "accesstoken", "access_token", "refreshtoken", "refresh_token", "idtoken", "id_token",
    "apikey", "api_key", "key", "signature", "sig", "assertion", "credential", "credentials", "pin", "otp",
    "authorization", "auth_token", "session_token", "security_token", "csrf_token", "xsrf_token", "session_id",
    "jsessionid", "phpsessid", "private_key", "secret_key", "access_key", "code_verifier", "client_assertion", "jwt",
    "totp", "cvv", "cvc", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature",
    "x-goog-credential",
  ]

  /// `new_password` and `userPassword` are secret too, `passwordHint` is not.
  private static let secretEndings = ["password", "passwd", "passphrase", "secret"]

  /// A copy that also hides these values, wherever they occur. Values below `SecretValues.shortest` aren't hidden.
  package func hiding(_ values: [String]) -> Redaction {
    var copy = self
    copy.values = SecretValues(self.values.values.union(values))
    return copy
  }

  /// Whether the value of the header field is hidden.
  ///
  /// - Parameter name: the name of the field, compared without case.
  public func hides(header name: String) -> Bool {
    headerNames.contains(name.lowercased()) || hides(field: name)
  }

  /// Whether the value of the query item, JSON member or form field is hidden. Case, hyphens and underscores don't
  /// count. A name that ends with a word for a password, such as `userPassword`, is hidden too.
  public func hides(field name: String) -> Bool {
    let name = name.lowercased()
    if fieldNames.contains(name) { return true }
    let plain = name.withoutJoiners
    return plainFieldNames.contains(plain) || Self.secretEndings.contains { plain.hasSuffix($0) }
  }

  /// Whether a name in a text belongs to a hidden field or header, also as a part of a path such as `user[password]`.
  func hides(path name: String) -> Bool {
    if hides(header: name) { return true }
    guard name.utf8.contains(where: Self.isPathSeparator) else { return false }
    return name.utf8.split(whereSeparator: Self.isPathSeparator).contains {
      hides(field: String(decoding: $0, as: UTF8.self))
    }
  }

  private static func isPathSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ".")
  }

  /// The header fields in one line, `[name: value, …]`.
  public func headers(_ headers: HTTPHeaders) -> String {
    "[\(headers.map(line).joined(separator: ", "))]"
  }

  /// `name: value`
  func line(for field: HTTPHeaders.Field) -> String {
    "\(field.name): \(hides(header: field.name) ? Self.placeholder : text(field.value))"
  }

  /// Describes a body in quotes, with the values of secret JSON members and form fields hidden. A body that isn't text
  /// is described by its length.
  public func body(_ body: Data) -> String {
    guard let decoded = String(validatingUTF8Prefix: body) else { return "(\(body.count) bytes)" }
    return "\"\(text(decoded))\""
  }

  /// Hides secrets in a text that may be JSON, a form, multipart or XML, or a piece of them, and may contain URLs.
  public func text(_ text: String) -> String {
    String(decoding: withoutSecrets(Array(text.utf8)), as: UTF8.self)
  }

  /// Hides secrets in content that may not be text as a whole, such as multipart with a picture in it.
  package func content(_ content: Data) -> Data { Data(withoutSecrets(Array(content))) }

  /// A redaction that also hides the values of a request's secrets, wherever they occur.
  package func hiding(secretsOf request: TransportRequest) -> Redaction {
    hiding(secretValues(in: request))
  }

  private func withoutSecrets(_ bytes: [UInt8]) -> [UInt8] {
    let withoutFields = FieldRedactor.redact(bytes.withoutUserInfo, redaction: self)
    return values.hide(in: withoutFields)
  }
}

extension String {
  fileprivate var withoutJoiners: String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else { return self }
    return String(decoding: utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }, as: UTF8.self)
  }

  /// Decodes UTF-8 data that may be cut inside a character; `nil` if it isn't text.
  init?(validatingUTF8Prefix data: Data) {
    let tail = data.suffix(3)
    let lead = tail.lastIndex { !(0x80...0xBF).contains($0) } ?? tail.startIndex
    // Only a character that was cut is dropped, so that other malformed bytes still make the text invalid.
    let cut = tail[lead...].first.map { $0 >= 0xC0 && $0 <= 0xF4 } ?? false ? tail.endIndex - lead : 0
    guard let text = String(data: data, encoding: .utf8) ?? String(data: data.dropLast(cut), encoding: .utf8),
      !text.unicodeScalars.contains(where: { $0.value < 0x20 && !"\t\r\n".unicodeScalars.contains($0) })
    else { return nil }
    self = text
  }
}
