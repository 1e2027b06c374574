import Foundation

/// The strategy `convertFromSnakeCase` of `JSONDecoder`, which makes the key `oneTwo` of the name `one_two`.
enum JSONSnakeCase {
  private static let underscore = UInt8(ascii: "_")

  /// The key that the strategy makes of a name. Underscores at the start and the end stay.
  static func key(of name: String) -> String {
    guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
      return name
    }
    let words = name[first...last].split(separator: "_")
    // Foundation leaves a single word as it is, capital letters included.
    guard words.count > 1 else { return name }
    let joined = words[0].lowercased() + words[1...].map(\.capitalized).joined()
    return String(name[..<first]) + joined + name[name.index(after: last)...]
  }

  /// A hash of 16 bits, which a name of ASCII has in common with its key: it leaves out underscores and the case.
  static func hash(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
    // FNV-1a.
    var hash: UInt32 = 0x811C_9DC5
    for byte in name where byte != underscore { hash = (hash ^ UInt32(byte | 0x20)) &* 0x0100_0193 }
    return hash >> 16
  }

  /// Whether the strategy makes this key of a name of ASCII. Makes no `String` of a usual name.
  static func makes(_ key: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard name.contains(underscore) else { return name.elementsEqual(key) }
    let hasOuterUnderscore = name.first == underscore || name.last == underscore
    var rest = key[...]
    var former = UInt8(ascii: "a")
    for byte in name {
      let isStart = former == underscore
      // Only Foundation knows whether a letter after a digit or a hyphen is a capital one.
      if hasOuterUnderscore || !isStart && isLetter(byte) && !isLetter(former) {
        return Self.key(of: String(decoding: name, as: UTF8.self)).utf8.elementsEqual(key)
      }
      former = byte
      if byte == underscore { continue }
      let cased = isStart ? byte & ~0x20 : byte | 0x20
      guard rest.popFirst() == (isLetter(byte) ? cased : byte) else { return false }
    }
    return rest.isEmpty
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
}
