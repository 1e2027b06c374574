import Foundation

extension CookieJar.Cookie {
  /// Makes the cookie of a `Set-Cookie` field (RFC 6265, sections 5.2 and 5.3). If an attribute comes twice, the last
  /// value that can be read counts. `SameSite` is ignored, because only a browser has sites.
  ///
  /// - Returns: `nil` if the URL may not set the cookie, and for a malformed or too large field. Bytes beyond ASCII
  ///   would go back to the server as other bytes.
  init?(_ field: String, from target: HTTPURL, now: Date) {
    guard field.utf8.allSatisfy({ $0 < 0x7F && ($0 >= 0x20 || $0 == 0x09) }) else { return nil }
    let pairs = field.parts(separatedBy: ";").map { part in
      let end = part.utf8.firstIndex(of: UInt8(ascii: "="))
      let value = end.map { part[part.index(after: $0)...].trimmingFieldWhitespace }
      return (name: part[..<(end ?? part.endIndex)].trimmingFieldWhitespace, value: value)
    }
    // The limits of the draft RFC 6265bis: bytes of name and value together, of an attribute, and the seconds of a
    // life.
    let (sizeLimit, attributeLimit, longestLife) = (4096, 1024, TimeInterval(400 * 86_400))
    guard let name = pairs.first?.name, let value = pairs.first?.value, !name.isEmpty,
      name.utf8.count + value.utf8.count <= sizeLimit
    else { return nil }
    func values(_ name: String) -> [String] {
      pairs.dropFirst().filter { $0.name.equalsIgnoringASCIICase(name) }.map { $0.value ?? "" }
        .filter { $0.utf8.count <= attributeLimit }
    }
    let (origin, path, isSecure) = (target.origin, values("path").last ?? "", !values("secure").isEmpty)
    let domain = values("domain").last.map { ($0.hasPrefix(".") ? String($0.dropFirst()) : $0).lowercased() } ?? ""
    guard !isSecure || origin.isSecure, let isHostOnly = CookieDomain.isHostOnly(domain, setBy: origin.host)
    else { return nil }
    // A name that begins so promises what the cookie has to have (draft RFC 6265bis).
    let prefix = name.lowercased()
    guard !prefix.hasPrefix("__secure-") || isSecure,
      !prefix.hasPrefix("__host-") || isSecure && domain.isEmpty && path == "/"
    else { return nil }
    // `Max-Age` overrides `Expires` (RFC 6265, section 5.3).
    let end =
      values("max-age").compactMap(Self.seconds).last.map { now.addingTimeInterval(TimeInterval($0)) }
      ?? values("expires").compactMap(CookieDate.date).last
    self.init(
      name: name, value: value, domain: isHostOnly ? origin.host : domain,
      path: path.hasPrefix("/") ? path : Self.standardPath(for: target),
      expires: end.map { min($0, now.addingTimeInterval(longestLife)) }, isHostOnly: isHostOnly, isSecure: isSecure,
      isHTTPOnly: !values("httponly").isEmpty)
  }

  /// A number of seconds (RFC 6265, section 5.2.2). A negative number ends the cookie at once, and a large one counts
  /// as the largest.
  private static func seconds(_ text: String) -> Int64? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return text.hasPrefix("-") ? 0 : Int64(digits) ?? .max
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
    let labels = domain.parts(separatedBy: ".")
    let isName = labels.count >= 2 && !labels.contains("") && !isPublic(labels)
    let isShared = isName && !isAddress(host.parts(separatedBy: "."))
    // A host that looks like a public suffix may set a cookie for itself alone (RFC 6265, section 5.3).
    if domain == host { return !isShared }
    return isShared && host.hasSuffix("." + domain) ? false : nil
  }

  /// The domain under which one owner registers names, by the same guess: two labels, or three below a domain that
  /// looks like a public suffix. A host's cookies, and those that it gets from hosts above, all belong to its site.
  static func site(of host: String) -> String {
    let labels = host.parts(separatedBy: ".")
    guard !isAddress(labels), !labels.contains("") else { return host }
    return labels.suffix(isPublic(labels.suffix(2)) ? 3 : 2).joined(separator: ".")
  }

  /// Whether the host is an IP address. No name ends with a number.
  private static func isAddress(_ labels: [String]) -> Bool {
    let last = labels.last { !$0.isEmpty } ?? ""
    return labels[0].hasPrefix("[") || last.utf8.allSatisfy(\.isASCIIDigit) || last.hasPrefix("0x")
  }

  /// Second labels under which the registries of many countries let others register.
  private static let registries: Set<String> = [
    "ac", "co", "com", "edu", "gob", "gov", "go", "gv", "ltd", "me", "mil", "ne", "net", "nhs", "nom", "or", "org",
    "plc", "sch",
  ]

  private static func isPublic(_ labels: some BidirectionalCollection<String>) -> Bool {
    guard labels.count == 2, let second = labels.first, let country = labels.last else { return false }
    return country.utf8.count == 2 && registries.contains(second)
  }
}

/// Reads the date of a cookie, which servers write in many ways (RFC 6265, section 5.1.1).
enum CookieDate {
  static func date(from text: String) -> Date? {
    var clock: [Int64]?
    var day, month, year: Int64?
    for token in text.utf8.split(whereSeparator: delimiters.contains) {
      let digits = token.prefix(while: \.isASCIIDigit)
      let name = String(Substring(token.prefix(3)))
      if clock == nil, let found = self.clock(token) {
        clock = found
      } else if day == nil, (1...2).contains(digits.count) {
        day = Int64(Substring(digits))
      } else if month == nil, let found = HTTPDate.months.firstIndex(where: name.equalsIgnoringASCIICase) {
        month = Int64(found + 1)
      } else if year == nil, (2...4).contains(digits.count), let found = Int64(Substring(digits)) {
        // Two digits mean 1970 to 2069 (RFC 6265, section 5.1.1).
        year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
      }
    }
    guard let clock, let day, let month, let year, year >= 1601, clock[2] < 60 else { return nil }
    return HTTPDate.date(year: year, month: month, day: day, hour: clock[0], minute: clock[1], second: clock[2])
  }

  /// The set `delimiter` of the RFC. A colon is none, because it belongs to the time.
  private static let delimiters = ByteSet([0x09] + (0x20...0x2F) + (0x3B...0x40) + (0x5B...0x60) + (0x7B...0x7E))

  /// Hour, minute and second; anything but a digit may follow.
  private static func clock(_ token: Substring.UTF8View) -> [Int64]? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let numbers = [parts[0], parts[1], parts[2].prefix(while: \.isASCIIDigit)].compactMap { part in
      // A sign would be a delimiter.
      (1...2).contains(part.count) ? Int64(Substring(part)) : nil
    }
    return numbers.count == 3 ? numbers : nil
  }
}
