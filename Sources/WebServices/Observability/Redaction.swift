public import Foundation

/// What must never be read in a log, a description or a command line, and the one place that hides it.
///
/// Names are compared without case. The standard names are always a part of it; an app adds its own.
public struct Redaction: Sendable, Hashable {
  /// What stands in place of a secret.
  public static let placeholder = "<redacted>"

  /// Header fields whose values are hidden, in lower case.
  public private(set) var headerNames: Set<String>
  /// Query items, JSON members and form fields whose values are hidden, in lower case.
  public private(set) var fieldNames: Set<String>
  /// Values that are hidden wherever they stand: the credentials that were sent with a request.
  var values: Set<String> = []

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
  }

  private static let standardHeaderNames: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "api-token", "x-api-token", "api-key",
    "x-api-key", "x-auth-token", "x-csrf-token", "x-amz-security-token", "authentication-info",
  ]

  private static let standardFieldNames: Set<String> = [
    "password", "passwd", "passphrase", "secret", "client_secret", "clientsecret", "token", "apitoken",
    "api_token", "accesstoken", "access_token", "refreshtoken", "refresh_token", "idtoken", "id_token",
    "apikey", "api_key", "key", "signature", "sig", "assertion", "credential", "credentials", "pin", "otp",
    "authorization",
  ]

  /// Hides these values too, wherever they stand. Short ones are left: they would hide half of the text.
  func hiding(_ values: [String]) -> Redaction {
    var copy = self
    copy.values.formUnion(values.filter { $0.utf8.count >= 4 })
    return copy
  }

  /// Whether the value of the header field is hidden.
  public func hides(header name: String) -> Bool { headerNames.contains(name.lowercased()) }

  /// Whether the value of the query item, JSON member or form field is hidden.
  public func hides(field name: String) -> Bool { fieldNames.contains(name.lowercased()) }

  /// The header fields in one line, `[name: value, …]`.
  public func headers(_ headers: HTTPHeaders) -> String {
    let fields = headers.map { field in
      "\(field.name): \(hides(header: field.name) ? Self.placeholder : text(field.value))"
    }
    return "[\(fields.joined(separator: ", "))]"
  }

  /// A URL, absolute or not, well formed or not, without user info and without the values of secret query items.
  public func url(_ url: String) -> String {
    URLRedactor(redaction: self).redact(url)
  }

  /// A body in quotes: as text where it is text, with the values of secret JSON members and form fields hidden, and
  /// as its length where it isn't.
  public func body(_ body: Data) -> String {
    guard let decoded = String(validatingUTF8Prefix: body) else { return "(\(body.count) bytes)" }
    return "\"\(text(decoded))\""
  }

  /// Text that may be JSON, a form or contain a URL, also a piece of one.
  public func text(_ text: String) -> String {
    let withoutFields = FieldRedactor(redaction: self).redact(text)
    let withoutUserInfo = URLRedactor.removeUserInfo(withoutFields)
    return values.reduce(withoutUserInfo) { text, value in
      text.replacingOccurrences(of: value, with: Self.placeholder)
    }
  }
}

extension String {
  /// The text of UTF-8 data that may have been cut inside a character; `nil` where it isn't text.
  init?(validatingUTF8Prefix data: Data) {
    let tail = data.suffix(3)
    let lead = tail.lastIndex { !(0x80...0xBF).contains($0) } ?? tail.startIndex
    // Only a character that was begun is dropped: its first byte and what there is of the others.
    let cut = tail[lead...].first.map { $0 >= 0xC0 && $0 <= 0xF4 } ?? false ? tail.endIndex - lead : 0
    guard let text = String(data: data, encoding: .utf8) ?? String(data: data.dropLast(cut), encoding: .utf8),
      !text.unicodeScalars.contains(where: { $0.value < 0x20 && !"\t\r\n".unicodeScalars.contains($0) })
    else { return nil }
    self = text
  }
}
