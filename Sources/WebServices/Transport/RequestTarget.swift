import Foundation

/// A URL as a transport is given it, and the origin whose connections it shares.
struct RequestTarget: Hashable, Sendable {
  /// The URL without credentials and fragment.
  let url: String
  let isSecure: Bool
  /// How many bytes of the URL are scheme, host and port.
  private let originLength: Int

  /// Scheme, host and port in lower case.
  var origin: String { String(Substring(url.utf8.prefix(originLength))).lowercased() }

  /// Takes an absolute `http` or `https` URL apart.
  init(_ text: String) throws(TransportError) {
    let bytes = text.utf8
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x5C }) else {
      throw .invalid("the URL has characters that no URL has")
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
      throw .invalid("the URL is not absolute")
    }
    let scheme = text[..<colon]
    if String(scheme).equalsIgnoringASCIICase("https") {
      isSecure = true
    } else if String(scheme).equalsIgnoringASCIICase("http") {
      isSecure = false
    } else {
      throw .invalid("the URL's scheme is neither http nor https")
    }
    let rest = text[bytes.index(after: colon)...]
    guard rest.hasPrefix("//") else { throw .invalid("the URL has no host") }
    let afterSlashes = rest.utf8.dropFirst(2)
    let authorityEnd = afterSlashes.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
    let authority = afterSlashes[..<(authorityEnd ?? afterSlashes.endIndex)]
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] }
    let address = String(Substring(host ?? authority))
    guard !address.isEmpty, !address.hasPrefix(":") else { throw .invalid("the URL has no host") }
    let tail = text[(authorityEnd ?? text.endIndex)...]
    let fragment = tail.utf8.firstIndex(of: UInt8(ascii: "#"))
    let prefix = isSecure ? "https://" : "http://"
    originLength = prefix.utf8.count + address.utf8.count
    if host == nil, fragment == nil, text.hasPrefix(prefix) {
      // It is held as long as the request: no need for a second one.
      url = text
    } else {
      url = prefix + address + tail[..<(fragment ?? tail.endIndex)]
    }
  }
}
