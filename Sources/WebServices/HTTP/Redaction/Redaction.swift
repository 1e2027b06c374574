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
  /// Values that are hidden in every place: the secrets that were sent with a request.
  private var values: SecretValues?

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
    "x-goog-credential", "pass", "password_confirm", "password_confirmation",
  ]

  /// `new_password1` and `userPassword` are secret too, `passwordHint` is not.
  private static let secretEndings = ["password", "passwd", "pwd", "passcode", "passphrase", "secret"]

  /// A copy of a redaction without values, which also hides these values and the secrets of a request, wherever they
  /// occur. Values below `SecretValues.shortest` aren't hidden. The request is searched when the first text is.
  package func hiding(secretsOf request: TransportRequest? = nil, and values: [String] = []) -> Redaction {
    let sources = request.map(SecretSource.all) ?? []
    var copy = self
    copy.values = SecretValues { [self] in
      values.map { Array($0.utf8) } + sources.flatMap { $0.values(namedBy: self) }
    }
    return copy
  }

  /// Whether the value of the header field is hidden.
  ///
  /// - Parameter name: the name of the field, compared without case.
  public func hides(header name: String) -> Bool { headerNames.contains(name.lowercased()) || hides(field: name) }

  /// Whether the value of the query item, JSON member or form field is hidden. Case, hyphens and underscores don't
  /// count. A name that ends with a word for a password, such as `userPassword` or `password2`, is hidden too.
  public func hides(field name: String) -> Bool {
    let plain = name.lowercased().withoutJoiners
    let word = plain.lastIndex { !$0.isNumber }.map { plain[...$0] } ?? ""
    return plainFieldNames.contains(plain) || Self.secretEndings.contains { word.hasSuffix($0) }
  }

  /// Whether a name in a text belongs to a hidden field or header, also as a part of a path such as `user[password]`.
  /// The name's escapes are resolved, and not those of its value: the form `user%5Bpassword%5D=a%26b` has one item.
  package func hides(path name: some Sequence<UInt8>) -> Bool {
    let names = DecodedText.all(of: Array(name)).map { $0.bytes[...] }
    let parts = names.flatMap { $0.split(whereSeparator: Self.pathSeparators.contains) }
    return (names + parts).contains { hides(header: String(decoding: $0, as: UTF8.self)) }
  }

  private static let pathSeparators: ByteSet = "[].:%"

  /// The header fields in one line, `[name: value, …]`.
  public func headers(_ headers: HTTPHeaders) -> String { "[\(headers.map(line).joined(separator: ", "))]" }

  /// `name: value`
  func line(for field: HTTPHeaders.Field) -> String {
    "\(field.name.withoutControls): \(hides(header: field.name) ? Self.placeholder : text(field.value))"
  }

  /// Describes a body in quotes, with secrets hidden as in a ``text(_:)``. A body that isn't text is described by its
  /// length.
  public func body(_ body: Data) -> String {
    guard let decoded = String(validatingUTF8Prefix: body) else { return "(\(body.count) bytes)" }
    return "\"\(text(decoded))\""
  }

  /// Hides secrets in a text: the value behind each secret name in `name: value` and `name=value`, as JSON, forms, URLs
  /// and header lines have them; and user info in URLs. Behind a secret name in markup (`<password>`) or in the head of
  /// a part (`name="password"`), the whole rest of the text is hidden. Control characters other than line breaks and
  /// tabs are escaped as `\u{1b}`, so that a server's text can't control a terminal.
  public func text(_ text: String) -> String {
    String(decoding: withoutSecrets(Array(text.utf8)), as: UTF8.self).withoutControls
  }

  /// A URL, absolute or not, well formed or not, without user info and without the values of secret query items.
  /// Control characters are escaped as in a ``text(_:)``.
  public func url(_ url: String) -> String {
    String(decoding: withoutSecrets(Array(url.utf8), isURL: true), as: UTF8.self).withoutControls
  }

  /// Hides secrets in content that may not be text as a whole, such as multipart with a picture in it. Nothing else
  /// changes.
  ///
  /// - Parameter byName: whether to look up names too, and not only the secrets of the requests.
  package func content(_ data: Data, byName: Bool = true) -> Data { Data(withoutSecrets(Array(data), byName: byName)) }

  /// Replaces the secrets in a text, which `FieldSearch` finds by their names and `ValueMatcher` by their values. The
  /// text is searched as it is and with its escapes resolved, and each secret is hidden that one of the searches finds.
  private func withoutSecrets(_ bytes: [UInt8], isURL: Bool = false, byName: Bool = true) -> [UInt8] {
    let matcher = values?.matcher
    // With too many values nothing can be searched, and so nothing is shown.
    guard values == nil || matcher != nil else { return Array(Self.placeholder.utf8) }
    var found: [(range: Range<Int>, needsMarks: Bool)] = []
    for (level, text) in DecodedText.all(of: bytes).enumerated() {
      for value in byName ? FieldSearch(text.bytes, redaction: self, isURL: isURL).found : [] {
        // The marks of a string within a string would have to be escaped.
        found.append((text.original(value.range), level == 0 && value.kind == .json))
      }
      let ranges = matcher?.ranges(in: text.bytes, shortest: SecretValues.shortest) ?? []
      found += ranges.map { (text.original($0), false) }
    }
    return found.isEmpty ? bytes : Self.replacing(found, in: bytes)
  }

  /// Puts the placeholder in the place of each range, and once in the place of ranges that overlap.
  private static func replacing(_ found: [(range: Range<Int>, needsMarks: Bool)], in bytes: [UInt8]) -> [UInt8] {
    // The longest of the ranges that begin at one place comes first, and of equal ranges the one with marks.
    func order(_ place: (range: Range<Int>, needsMarks: Bool)) -> (Int, Int, Int) {
      (place.range.lowerBound, -place.range.upperBound, place.needsMarks ? 0 : 1)
    }
    let sorted = found.sorted { order($0) < order($1) }
    var output: [UInt8] = []
    var position = 0
    for (range, needsMarks) in sorted where range.upperBound > position {
      if range.lowerBound >= position {
        output += bytes[position..<range.lowerBound] + (needsMarks ? "\"\(placeholder)\"" : placeholder).utf8
      }
      position = range.upperBound
    }
    return output + bytes[position...]
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
