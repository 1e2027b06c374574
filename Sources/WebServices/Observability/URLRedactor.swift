import Foundation

/// Hides what is secret in a URL. It works on the text, since it must serve for what is no URL, too.
struct URLRedactor {
  let redaction: Redaction

  func redact(_ url: String) -> String {
    let bytes = Self.removeUserInfo(Array(url.utf8))
    let mark = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
    var output = Array(bytes[..<mark])
    if output.contains(UInt8(ascii: "=")) { output = FieldRedactor.redact(output, redaction: redaction) }
    var start = mark
    while start < bytes.count {
      output.append(bytes[start])
      let end = bytes[(start + 1)...].firstIndex { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") } ?? bytes.count
      output += redactItem(bytes[(start + 1)..<end])
      start = end
    }
    return String(decoding: redaction.values.hide(in: output), as: UTF8.self)
  }

  /// A query item, or one of a fragment, which may be a path with a query of its own.
  private func redactItem(_ item: ArraySlice<UInt8>) -> [UInt8] {
    guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return Array(item) }
    let name = item[..<equals].split(separator: UInt8(ascii: "?")).last ?? []
    let plain = FieldName.plain(ArraySlice(name.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }))
    guard redaction.hides(path: plain) else {
      return item[...equals] + FieldRedactor.redact(Array(item[(equals + 1)...]), redaction: redaction)
    }
    return item[...equals] + Array(Redaction.placeholder.utf8)
  }

  /// Replaces what stands between `//` and the last `@` of each authority in the text, also where JSON has escaped the
  /// slashes.
  static func removeUserInfo(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "@")) || bytes.contains(UInt8(ascii: ":")) else { return bytes }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard let start = endOfSlashes(at: index, in: bytes) else {
        output.append(bytes[index])
        index += 1
        continue
      }
      output += bytes[index..<start]
      index = start
      let end = bytes[start...].firstIndex(where: \.endsAuthority) ?? bytes.count
      if let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) {
        output += Array(Redaction.placeholder.utf8)
        index = at
      } else if end == bytes.count, let password = startOfPassword(in: bytes[start...]) {
        output += bytes[start..<password] + Array(Redaction.placeholder.utf8)
        index = end
      }
    }
    return output
  }

  /// Where the text was cut before the `@`: what follows a colon and is no port.
  private static func startOfPassword(in authority: ArraySlice<UInt8>) -> Int? {
    guard authority.first != UInt8(ascii: "["), let colon = authority.firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    let rest = authority[(colon + 1)...]
    let isPort = rest.count <= 5 && rest.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isPort ? nil : colon + 1
  }

  private static func endOfSlashes(at index: Int, in bytes: [UInt8]) -> Int? {
    let slash = UInt8(ascii: "/")
    if bytes[index] == slash, index + 1 < bytes.count, bytes[index + 1] == slash { return index + 2 }
    let isEscaped = bytes[index] == UInt8(ascii: "\\") && bytes[index...].starts(with: "\\/\\/".utf8)
    return isEscaped ? index + 4 : nil
  }
}

extension UInt8 {
  fileprivate var endsAuthority: Bool {
    switch self {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "\\"),
      UInt8(ascii: "<"), UInt8(ascii: ">"):
      true
    default:
      isSpace
    }
  }
}
