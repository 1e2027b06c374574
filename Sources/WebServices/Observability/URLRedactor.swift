import Foundation

/// Hides what is secret in a URL. It works on the text, since it must serve for what is no URL, too.
struct URLRedactor {
  let redaction: Redaction

  func redact(_ url: String) -> String {
    let withoutUserInfo = Self.removeUserInfo(url)
    guard let mark = withoutUserInfo.firstIndex(of: "?") else { return hideValues(withoutUserInfo) }
    let head = withoutUserInfo[...mark]
    let query = withoutUserInfo[withoutUserInfo.index(after: mark)...]
    let items = query.split(separator: "&", omittingEmptySubsequences: false).map(redactItem)
    return hideValues(head + items.joined(separator: "&"))
  }

  private func redactItem(_ item: Substring) -> String {
    guard let equals = item.firstIndex(of: "=") else { return String(item) }
    let name = String(item[..<equals]).replacingOccurrences(of: "+", with: " ")
    guard redaction.hides(field: name.removingPercentEncoding ?? name) else { return String(item) }
    return "\(item[...equals])\(Redaction.placeholder)"
  }

  private func hideValues(_ text: String) -> String {
    redaction.values.reduce(text) { text, value in
      let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value
      return text.replacingOccurrences(of: value, with: Redaction.placeholder)
        .replacingOccurrences(of: escaped, with: Redaction.placeholder)
    }
  }

  /// Replaces what stands between `//` and the last `@` of each authority in the text.
  static func removeUserInfo(_ text: String) -> String {
    guard text.contains("@"), text.contains("//") else { return text }
    var output = ""
    var rest = Substring(text)
    while let slashes = rest.range(of: "//") {
      output += rest[..<slashes.upperBound]
      rest = rest[slashes.upperBound...]
      let end = rest.firstIndex { "/?#\"' \t\r\n<>".contains($0) } ?? rest.endIndex
      if let at = rest[..<end].lastIndex(of: "@") {
        output += Redaction.placeholder
        rest = rest[at...]
      }
    }
    return output + rest
  }
}
