import Foundation

/// Numbers and times in words; the same in every locale.
enum Wording {
  /// `1 byte`, `2 bytes`.
  static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  /// The two largest units: `10 minutes`, `1 hour and 5 minutes`.
  static func duration(_ seconds: Int) -> String {
    let units = [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)]
    guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 seconds" }
    let (noun, length) = units[first]
    var words = [count(seconds / length, noun)]
    let rest = seconds % length
    if first + 1 < units.count, rest >= units[first + 1].1 {
      words.append(count(rest / units[first + 1].1, units[first + 1].0))
    }
    return words.joined(separator: " and ")
  }

  /// `3.2 ms`
  static func milliseconds(_ seconds: TimeInterval) -> String {
    let tenths = Int(max(0, min(seconds, 1e9)) * 10_000)
    return "\(tenths / 10).\(tenths % 10) ms"
  }

  /// The text without these values. Very short ones are left: they would hide half of it, and give themselves away.
  static func hide(_ values: [String?], in text: String) -> String {
    values.compactMap { $0 }.filter { $0.count >= 4 }.reduce(text) { text, value in
      text.replacingOccurrences(of: value, with: "<redacted>")
    }
  }

  /// The text without line breaks.
  static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The text without control characters but line breaks: what a server sends must not steer the terminal.
  static func printable(_ text: String) -> String {
    let isHarmless = { (scalar: Unicode.Scalar) in
      scalar == "\n" || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
    }
    guard !text.unicodeScalars.allSatisfy(isHarmless) else { return text }
    var output = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      output.append(isHarmless(scalar) ? scalar : "\u{FFFD}")
    }
    return String(output)
  }
}
