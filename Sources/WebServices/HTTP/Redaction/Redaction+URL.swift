import Foundation

/// Hides secrets in URLs. The search works on the text, because it also has to serve for texts that aren't URLs.
extension Redaction {
  /// A URL, absolute or not, well formed or not, without user info and without the values of secret query items.
  public func url(_ url: String) -> String {
    let bytes = Array(url.utf8).withoutUserInfo
    let mark = bytes.end(from: 0) { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    var output = Array(bytes[..<mark])
    // Path parameters such as `;jsessionid=…`.
    if output.contains(UInt8(ascii: "=")) { output = FieldRedactor.redact(output, redaction: self) }
    var start = mark
    while start < bytes.count {
      output.append(bytes[start])
      let end = bytes.end(from: start + 1) { $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "#") }
      output += redactedItem(bytes[(start + 1)..<end])
      start = end
    }
    return String(decoding: values.hide(in: output), as: UTF8.self)
  }

  /// Redacts a query item, also in a fragment, which may be a path with its own query.
  private func redactedItem(_ item: ArraySlice<UInt8>) -> [UInt8] {
    guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return Array(item) }
    let name = item[..<equals].split(separator: UInt8(ascii: "?")).last ?? []
    let isHidden = hides(path: name.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }[...].plainName)
    let value = item[(equals + 1)...]
    return item[...equals]
      + (isHidden ? Array(Self.placeholder.utf8) : FieldRedactor.redact(Array(value), redaction: self))
  }
}

extension [UInt8] {
  /// The text with a placeholder between `//` and the last `@` of each authority in it, also where JSON has escaped the
  /// slashes.
  var withoutUserInfo: [UInt8] {
    // Without these signs there is no user info, and nothing is copied.
    guard contains(UInt8(ascii: "@")) || contains(UInt8(ascii: ":")) else { return self }
    var output: [UInt8] = []
    output.reserveCapacity(count)
    var index = 0
    while index < count {
      guard let start = endOfSlashes(at: index) else {
        output.append(self[index])
        index += 1
        continue
      }
      output += self[index..<start]
      index = start
      let end = self.end(from: start) { !$0.isSpace && !ByteSet.endsAuthority.contains($0) }
      if let at = self[start..<end].lastIndex(of: UInt8(ascii: "@")) {
        output += Array(Redaction.placeholder.utf8)
        index = at
      } else if end == count, let password = self[start...].startOfPassword {
        // The text was cut before the `@`.
        output += self[start..<password] + Array(Redaction.placeholder.utf8)
        index = end
      }
    }
    return output
  }

  private func endOfSlashes(at index: Int) -> Int? {
    if self[index] == UInt8(ascii: "/"), self[index...].starts(with: "//".utf8) { return index + 2 }
    return self[index] == UInt8(ascii: "\\") && self[index...].starts(with: "\\/\\/".utf8) ? index + 4 : nil
  }
}

extension ArraySlice<UInt8> {
  /// The password of an authority that was cut before its `@`: it follows a colon and isn't a port.
  fileprivate var startOfPassword: Int? {
    guard first != UInt8(ascii: "["), let colon = firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let rest = self[(colon + 1)...]
    return rest.count <= 5 && rest.allSatisfy(\.isASCIIDigit) ? nil : colon + 1
  }
}

extension ByteSet {
  /// The characters besides white space that end an authority.
  fileprivate static let endsAuthority: ByteSet = "/?#\"\\<>"
}
