import Foundation

/// A parsed `Set-Cookie` field (RFC 6265, sections 5.2 and 5.3). `cookie(from:now:)` makes the cookie, if the URL may
/// set it. Pure.
struct SetCookie {
  /// The most bytes of name and value together, and of one attribute, as the draft RFC 6265bis demands.
  static let sizeLimit = 4096
  static let attributeLimit = 1024
  /// The longest life of a cookie, in seconds: 400 days, as the draft RFC 6265bis demands.
  static let longestLife: TimeInterval = 400 * 86_400

  private let name: String
  private let value: String
  private var domain = ""
  private var path = ""
  private var expires: Date?
  private var maxAge: Int64?
  private var isSecure = false
  private var isHTTPOnly = false

  /// - Returns: `nil` for a malformed or too large field. Bytes beyond ASCII would go back to the server as other
  ///   bytes.
  init?(_ field: String) {
    guard field.utf8.allSatisfy({ $0 < 0x7F && ($0 >= 0x20 || $0 == 0x09) }) else { return nil }
    let parts = field.split(separator: ";", omittingEmptySubsequences: false)
    guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
    name = pair[..<equals].trimmingFieldWhitespace
    value = pair[pair.index(after: equals)...].trimmingFieldWhitespace
    guard !name.isEmpty, name.utf8.count + value.utf8.count <= Self.sizeLimit else { return nil }
    for part in parts.dropFirst() { readAttribute(part) }
  }

  /// Reads an attribute. If a name comes twice, the last value counts. `SameSite` is ignored, because only a browser
  /// has sites.
  private mutating func readAttribute(_ attribute: Substring) {
    let parts = attribute.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count > 1 ? parts[1].trimmingFieldWhitespace : ""
    guard let name = parts.first?.trimmingFieldWhitespace.lowercased(), value.utf8.count <= Self.attributeLimit
    else { return }
    switch name {
    // A date or a number that can't be read is ignored (RFC 6265, sections 5.2.1 and 5.2.2).
    case "expires": expires = CookieDate.date(from: value) ?? expires
    case "max-age": maxAge = Self.seconds(value) ?? maxAge
    case "domain": domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
    case "path": path = value
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    default: break
    }
  }

  /// A number of seconds (RFC 6265, section 5.2.2). A negative number ends the cookie at once, and a large one counts
  /// as the largest.
  private static func seconds(_ text: String) -> Int64? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return text.hasPrefix("-") ? 0 : Int64(digits) ?? .max
  }

  /// The cookie that a response from a URL sets; `nil` if that URL may not set it.
  func cookie(from target: HTTPURL, now: Date) -> CookieJar.Cookie? {
    let origin = target.origin
    guard !isSecure || origin.isSecure, let isHostOnly = CookieDomain.isHostOnly(domain, setBy: origin.host),
      isAllowedByPrefix(isHostOnly: isHostOnly)
    else { return nil }
    // `Max-Age` overrides `Expires` (RFC 6265, section 5.3).
    let end = maxAge.map { now.addingTimeInterval(min(TimeInterval($0), Self.longestLife)) } ?? expires
    return CookieJar.Cookie(
      name: name, value: value, domain: isHostOnly ? origin.host : domain,
      path: path.hasPrefix("/") ? path : CookiePath.standard(for: target),
      expires: end.map { min($0, now.addingTimeInterval(Self.longestLife)) }, isHostOnly: isHostOnly,
      isSecure: isSecure, isHTTPOnly: isHTTPOnly)
  }

  /// Whether a cookie whose name begins with `__Secure-` or `__Host-` has what the prefix promises (draft RFC 6265bis).
  private func isAllowedByPrefix(isHostOnly: Bool) -> Bool {
    let name = name.lowercased()
    if name.hasPrefix("__secure-") { return isSecure }
    if name.hasPrefix("__host-") { return isSecure && isHostOnly && domain.isEmpty && path == "/" }
    return true
  }
}

/// Decides for which domain a host may set a cookie (RFC 6265, sections 5.1.3 and 5.3).
enum CookieDomain {
  /// Whether only the host itself gets a cookie with this `Domain` attribute; `nil` if the host may not set it.
  ///
  /// A domain has to be the host's own, or above it and contain a dot. The library has no list of public suffixes, so
  /// it also refuses a domain that looks like one (`co.uk`).
  static func isHostOnly(_ domain: String, setBy host: String) -> Bool? {
    if domain.isEmpty { return true }
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    let isShared = labels.count >= 2 && !labels.contains("") && !isAddress(host) && !isPublic(labels)
    // A host that looks like a public suffix may set a cookie for itself alone (RFC 6265, section 5.3).
    if domain == host { return !isShared }
    return isShared && host.hasSuffix("." + domain) ? false : nil
  }

  /// The domain under which one owner registers names, by the same guess: two labels, or three below a domain that looks
  /// like a public suffix. A host's cookies, and those that it gets from hosts above, all belong to its site.
  static func site(of host: String) -> String {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard !isAddress(host), !labels.contains("") else { return host }
    return labels.suffix(isPublic(labels.suffix(2)) ? 3 : 2).joined(separator: ".")
  }

  /// Whether the host is an IP address. No name ends with a number.
  private static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("[") { return true }
    let last = host.split(separator: ".").last ?? ""
    return last.utf8.allSatisfy(\.isASCIIDigit) || last.hasPrefix("0x")
  }

  /// Second labels under which the registries of many countries let others register.
  private static let registries: Set<Substring> = [
    "ac", "co", "com", "edu", "gob", "gov", "go", "gv", "ltd", "me", "mil", "ne", "net", "nhs", "nom", "or", "org",
    "plc", "sch",
  ]

  private static func isPublic(_ labels: some BidirectionalCollection<Substring>) -> Bool {
    guard labels.count == 2, let second = labels.first, let country = labels.last else { return false }
    return country.utf8.count == 2 && registries.contains(second)
  }
}
