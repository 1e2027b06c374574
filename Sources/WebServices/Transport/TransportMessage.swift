import Foundation

/// The words of a library below, which may quote a proxy's address with its password.
enum TransportMessage {
  /// The words without user info.
  ///
  /// - Parameter proxies: the proxies' addresses as they were configured: one that is malformed is found by nothing else.
  static func withoutUserInfo(_ words: String, proxies: [String] = []) -> String {
    let known = proxies.filter { !$0.isEmpty }.reduce(words) { words, proxy in
      words.replacingOccurrences(of: proxy, with: address(proxy))
    }
    return known.split(separator: " ", omittingEmptySubsequences: false).map(address).joined(separator: " ")
  }

  /// A word that may be an address, without what stands before its last `@`.
  static func address(_ word: some StringProtocol) -> String {
    guard let at = word.lastIndex(of: "@") else { return String(word) }
    let scheme = word[..<at].range(of: "//")?.upperBound
    let start = scheme ?? word.firstIndex { !"'\"`(<".contains($0) } ?? word.startIndex
    return "\(word[..<min(start, at)])\(Redaction.placeholder)\(word[at...])"
  }
}
