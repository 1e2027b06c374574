import Foundation

/// A secret that names its origin, so that every occurrence can be judged.
struct Secret: Hashable, Sendable {
  /// The origin that may receive the secret.
  var home: Int
  var number: Int

  private static let mark = "zqS"
  /// The mark at the beginning of Base64.
  private static let encodedMark = "enFT"

  /// The secret itself. It consists of letters and digits, so that no escaping changes it.
  var text: String { "\(Self.mark)\(home)N\(number)Z" }

  /// All secrets in the text, also in Base64.
  static func all(in text: String) -> Set<Secret> {
    var found: Set<Secret> = []
    if text.contains(mark) { found.formUnion(plain(in: text)) }
    guard text.contains(encodedMark) else { return found }
    for tail in text.components(separatedBy: encodedMark).dropFirst() {
      let encoded = encodedMark + tail.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "/") }
      let whole = String(encoded.prefix(encoded.count / 4 * 4))
      if let data = Data(base64Encoded: whole) {
        found.formUnion(plain(in: String(decoding: data, as: UTF8.self) + "Z"))
      }
    }
    return found
  }

  static func all(in data: Data) -> Set<Secret> {
    guard data.range(of: Data(mark.utf8)) != nil else { return [] }
    return Set(plain(in: String(decoding: data, as: UTF8.self)))
  }

  private static func plain(in text: String) -> [Secret] {
    text.components(separatedBy: mark).dropFirst().compactMap { tail in
      let end = tail.firstIndex(of: "Z") ?? tail.endIndex
      let parts = tail[..<end].split(separator: "N")
      guard parts.count == 2, let home = Int(parts[0]), let number = Int(parts[1]) else { return nil }
      return Secret(home: home, number: number)
    }
  }
}
