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

  /// `999 bytes`, `1.0 kB`, `12.3 MB`: in steps of 1000.
  static func bytes(_ number: Int64) -> String {
    number < 1_000 ? count(Int(max(0, number)), "byte") : bytes(Double(number))
  }

  /// The same for what may be a fraction.
  static func bytes(_ number: Double) -> String {
    guard number >= 999.5 else { return count(Int(max(0, number).rounded()), "byte") }
    var (value, unit) = (number / 1_000, 0)
    let units = ["kB", "MB", "GB", "TB", "PB"]
    while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
    return "\(fixed(value, 1)) \(units[unit])"
  }

  /// A number with so many digits behind the point, of at most a trillion.
  static func fixed(_ number: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", min(max(-1e12, number.isNaN ? 0 : number), 1e12))
  }

  /// `5 s`, `1:05 min`, `2:00 h`
  static func shortDuration(_ seconds: Int) -> String {
    let seconds = max(0, seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3_600 { return "\(seconds / 60):\(two(seconds % 60)) min" }
    return "\(seconds / 3_600):\(two(seconds / 60 % 60)) h"
  }

  /// The text without these values. Very short ones are left: they would hide half of it, and give themselves away.
  static func hide(_ values: [String?], in text: String) -> String {
    values.compactMap { $0 }.filter { $0.count >= 4 }.reduce(text) { text, value in
      text.replacingOccurrences(of: value, with: "<redacted>")
    }
  }

  /// What an error says about itself, as a sentence.
  static func sentence(of error: any Error) -> String {
    let text = oneLine((error as? any LocalizedError)?.errorDescription ?? "\(error)")
    guard let first = text.first else { return "" }
    return first.uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }

  /// The beginning and the end of a text that is longer than so many characters, cut between words where there are any.
  static func shortened(_ text: String, to length: Int) -> String {
    guard text.count > length else { return text }
    let (start, end) = (text.prefix(length / 2), text.suffix(length / 2))
    let head = start.lastIndex(of: " ").map { start[..<$0] } ?? start
    let tail = end.firstIndex(of: " ").map { end[end.index(after: $0)...] } ?? end
    return "\(head) ... \(tail)"
  }

  /// The text in lines of at most so many columns, broken between words only: a word that is longer, such as a URL, stays
  /// whole.
  ///
  /// - Parameter indent: what the lines behind the first begin with.
  static func wrapped(_ text: String, to width: Int, indent: String = "") -> [String] {
    // What the text begins with, which is no word, stays.
    let lead = text.prefix { $0 == " " }
    var lines = [String(lead)]
    for word in text.split(whereSeparator: \.isWhitespace) {
      let last = lines[lines.count - 1]
      let isFirst = last.allSatisfy { $0 == " " }
      if isFirst || last.count + 1 + word.count <= width {
        lines[lines.count - 1] += (isFirst ? "" : " ") + word
      } else {
        lines.append(indent + word)
      }
    }
    return lines
  }

  /// The text without line breaks.
  static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The text without control characters but line breaks and tabs: what a server sends must not steer the terminal.
  static func printable(_ text: String) -> String {
    let isHarmless = { (scalar: Unicode.Scalar) in
      scalar == "\n" || scalar == "\t" || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
    }
    guard !text.unicodeScalars.allSatisfy(isHarmless) else { return text }
    var output = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      output.append(isHarmless(scalar) ? scalar : "\u{FFFD}")
    }
    return String(output)
  }
}
