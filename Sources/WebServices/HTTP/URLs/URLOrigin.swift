import Foundation

/// The scheme, host and port of a URL (RFC 6454, section 4), checked and written in one way.
///
/// An object, because every URL of a service's requests shares the origin of its base URL. No request parses it again.
package final class URLOrigin: Sendable {
  /// The origin without the scheme's own port: `https://api.example.com:8443`.
  package let text: String
  /// Whether the scheme is `https`.
  package let isSecure: Bool
  /// The host in lower case and in ASCII; an IPv6 address with its brackets.
  package let host: String
  /// The port; the scheme's own where none is written.
  package let port: Int
  /// Host and port, without the default port. State that is kept per host has this key.
  package let hostAndPort: String
  /// Whether the host is this machine itself and needs no network (RFC 6761, section 6.3; RFC 5735; RFC 4291).
  package let isLoopback: Bool

  /// - Parameters:
  ///   - authority: the text between `//` and the path. User info in it is left out.
  ///   - isSecure: whether the scheme is `https`, whose own port is 443.
  package init(_ authority: Substring, isSecure: Bool) throws(HTTPURL.Invalid) {
    // Browsers read a backslash as a slash, and other programs as a part of the user info. They would see two hosts.
    guard !authority.utf8.contains(UInt8(ascii: "\\")) else {
      throw HTTPURL.Invalid(reason: "its host has a backslash")
    }
    let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
    let (name, digits) = Self.split(at.map { authority[authority.utf8.index(after: $0)...] } ?? authority)
    let standardPort = isSecure ? 443 : 80
    self.isSecure = isSecure
    port = try Self.port(digits) ?? standardPort
    host = try Self.checked(name)
    hostAndPort = port == standardPort ? host : "\(host):\(port)"
    text = (isSecure ? "https://" : "http://") + hostAndPort
    isLoopback = Self.isLoopback(host)
  }

  /// Splits at the last colon that isn't inside the brackets of an IPv6 address.
  private static func split(_ text: Substring) -> (host: Substring, port: Substring) {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), !text.utf8[colon...].contains(UInt8(ascii: "]"))
    else { return (text, "") }
    return (text[..<colon], text[text.utf8.index(after: colon)...])
  }

  private static func port(_ digits: Substring) throws(HTTPURL.Invalid) -> Int? {
    guard !digits.isEmpty else { return nil }
    guard digits.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(digits) else {
      throw HTTPURL.Invalid(reason: "its port is no number up to 65535")
    }
    return Int(port)
  }

  /// - Parameter host: in lower case.
  package static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    // All of 127.0.0.0/8, in the one form that every resolver takes for an address. Some look `127.0.0.08` up as a
    // name.
    var address = in_addr()
    return host.hasPrefix("127.") && inet_pton(AF_INET, host, &address) == 1
  }

  // MARK: Host

  private static func checked(_ host: Substring) throws(HTTPURL.Invalid) -> String {
    guard !host.isEmpty else { throw HTTPURL.Invalid(reason: "it has no host") }
    if host.utf8.first == UInt8(ascii: "[") { return try checkedAddress(host) }
    if host.utf8.allSatisfy(PercentEncoding.host.raw.contains) { return host.lowercased() }
    // A name in another script has an ASCII form (IDNA), which Foundation makes.
    guard let name = host.removingPercentEncoding,
      name.utf8.allSatisfy({ $0 >= 0x80 || PercentEncoding.host.raw.contains($0) }),
      let encoded = URL(string: "http://\(name)")?.absoluteString.dropFirst(7).lowercased(), !encoded.isEmpty,
      encoded.utf8.allSatisfy(PercentEncoding.host.raw.contains)
    else { throw HTTPURL.Invalid(reason: "its host has a character that isn't allowed there") }
    return encoded
  }

  /// An IPv6 address between brackets. The letters of a zone may follow a `%` (RFC 6874).
  private static func checkedAddress(_ host: Substring) throws(HTTPURL.Invalid) -> String {
    let inner = host.utf8.dropFirst().dropLast()
    let address = inner.prefix { $0 != UInt8(ascii: "%") }
    guard host.utf8.last == UInt8(ascii: "]"), address.filter({ $0 == UInt8(ascii: ":") }).count >= 2,
      address.allSatisfy({ $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }),
      inner[address.endIndex...].allSatisfy({ $0 == UInt8(ascii: "%") || PercentEncoding.host.raw.contains($0) })
    else { throw HTTPURL.Invalid(reason: "its host is not an IPv6 address") }
    // The case of an interface's name counts.
    return host[..<address.endIndex].lowercased() + host[address.endIndex...]
  }
}
