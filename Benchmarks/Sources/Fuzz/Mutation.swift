/// Makes inputs from samples. `bytes` changes, removes, doubles and joins bytes, and inserts words that matter to a
/// parser. A few inputs are entirely random, and a few are very long.
struct Mutation {
  private static let longest = 65_536
  private static let commonWords: [[UInt8]] = [
    "0", "-1", "1", "255", "256", "65536", "2147483647", "2147483648", "4294967296", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "18446744073709551616", "99999999999999999999999999999999", "1e309",
    "-1e309", "0.1", "1e-400", "NaN", "Infinity", "null", "true", "\u{FEFF}", "\u{0}", "\r\n", "\n", "\r", "\t", " ",
    "\"", "\\", "%", "%00", "%2", "%FF", "é", "e\u{301}", "👩‍👩‍👧", "\u{202E}", "\u{2028}", "\u{7F}", ",", ";", ":", "=",
    "/",
    "//", "..", "?", "#", "@", "[", "]", "{", "}", "<", ">", "(", ")", "&", "+", "*", "'",
  ].map { Array($0.utf8) }
  private static let rareBytes: [UInt8] = [
    0x00, 0x0A, 0x0D, 0x22, 0x5C, 0x7F, 0x80, 0xBF, 0xC0, 0xED, 0xF4, 0xF8, 0xFE, 0xFF,
  ]

  let samples: [[UInt8]]
  let words: [[UInt8]]

  func bytes(_ chance: inout SeededGenerator) -> [UInt8] {
    if chance.once(in: 20) { return noise(&chance) }
    var bytes = chance.pick(samples) ?? []
    if chance.once(in: 2000) { return long(bytes, &chance) }
    var changes = 1
    while changes < 12, !chance.once(in: 3) { changes += 1 }
    for _ in 0..<changes { change(&bytes, &chance) }
    return bytes
  }

  private func noise(_ chance: inout SeededGenerator) -> [UInt8] {
    let mask: UInt8 = chance.once(in: 2) ? 0x7F : 0xFF
    return (0..<chance.below(200)).map { _ in UInt8(truncatingIfNeeded: chance.next()) & mask }
  }

  /// Makes a long input, which reveals a parser that needs more than linear time or recurses.
  private func long(_ bytes: [UInt8], _ chance: inout SeededGenerator) -> [UInt8] {
    var unit = chance.once(in: 3) ? bytes : word(&chance)
    if chance.once(in: 2) { unit += word(&chance) }
    guard !unit.isEmpty else { return bytes }
    let size = 1 << (10 + chance.below(7))
    let place = chance.below(bytes.count + 1)
    let middle = (0..<min(Self.longest, size) / unit.count).flatMap { _ in unit }
    return bytes[..<place] + middle + bytes[place...]
  }

  private func word(_ chance: inout SeededGenerator) -> [UInt8] {
    chance.pick(chance.once(in: 2) && !words.isEmpty ? words : Self.commonWords) ?? []
  }

  private func change(_ bytes: inout [UInt8], _ chance: inout SeededGenerator) {
    let place = chance.below(bytes.count + 1)
    let end = min(bytes.count, place + 1 + chance.below(chance.once(in: 3) ? 40 : 4))
    switch chance.below(10) {
    case 0 where place < bytes.count:
      bytes[place] ^= 1 << UInt8(chance.below(8))
    case 1 where place < bytes.count:
      bytes[place] = chance.pick(Self.rareBytes) ?? 0
    case 2:
      bytes.insert(UInt8(truncatingIfNeeded: chance.next()), at: place)
    case 3, 4:
      bytes.insert(contentsOf: word(&chance), at: place)
    case 5:
      bytes.replaceSubrange(place..<end, with: word(&chance))
    case 6:
      bytes.removeSubrange(place..<end)
    case 7:
      bytes.insert(contentsOf: bytes[place..<end], at: chance.below(bytes.count + 1))
    case 8:
      let other = chance.pick(samples) ?? []
      bytes.replaceSubrange(place..., with: other[chance.below(other.count + 1)...])
    default:
      if chance.once(in: 3) { bytes.removeSubrange(place...) } else { replaceNumber(in: &bytes, from: place, &chance) }
    }
  }

  /// Replaces the first number after this place by one of the first 21 common words, which are numbers or stand for
  /// one.
  private func replaceNumber(in bytes: inout [UInt8], from place: Int, _ chance: inout SeededGenerator) {
    let isDigit = { (byte: UInt8) in byte >= 0x30 && byte <= 0x39 }
    guard let start = bytes[place...].firstIndex(where: isDigit) else { return }
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.endIndex
    bytes.replaceSubrange(start..<end, with: Self.commonWords[chance.below(21)])
  }
}
