/// Hides user info in messages of libcurl and Foundation, which may quote a proxy's address with its password.
package enum TransportMessage {
  /// The words for a status of 407, whether it is a response or comes before the connection.
  package static let proxyRefusal =
    "the proxy refused the name or the password (407); see TransportConfiguration.proxy"

  /// The words without user info.
  ///
  /// - Parameter proxies: the configured addresses of the proxies. Nothing else finds a malformed address.
  package static func withoutUserInfo(_ words: String, proxies: [String] = []) -> String {
    let known = proxies.filter { !$0.isEmpty }.reduce(words) { words, proxy in
      words.replacingOccurrences(of: proxy, with: address(proxy))
    }
    return known.split(separator: " ", omittingEmptySubsequences: false).map(address).joined(separator: " ")
  }

  /// A word that may be an address, without the text before its last `@`.
  package static func address(_ word: some StringProtocol) -> String {
    guard let at = word.lastIndex(of: "@") else { return String(word) }
    let scheme = word[..<at].range(of: "//")?.upperBound
    let start = scheme ?? word.firstIndex { !"'\"`(<".contains($0) } ?? word.startIndex
    return "\(word[..<min(start, at)])\(Redaction.placeholder)\(word[at...])"
  }
}
