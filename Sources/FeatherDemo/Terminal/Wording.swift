import Foundation

/// Formats numbers, durations and errors as English text, independent of the locale.
enum Wording {
  /// Formats a count: `1 byte`, `2 bytes`.
  static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  /// Formats a duration in its two largest units: `10 minutes`, `1 hour and 5 minutes`.
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

  /// Formats milliseconds: `3.2 ms`.
  static func milliseconds(_ seconds: TimeInterval) -> String {
    let tenths = Int(max(0, min(seconds, 1e9)) * 10_000)
    return "\(tenths / 10).\(tenths % 10) ms"
  }

  /// Formats a size in steps of 1000: `999 bytes`, `1.0 kB`, `12.3 MB`.
  static func bytes(_ number: Int64) -> String {
    number < 1_000 ? count(Int(max(0, number)), "byte") : bytes(Double(number))
  }

  /// Formats a size that may have a fraction, such as a rate.
  static func bytes(_ number: Double) -> String {
    guard number >= 999.5 else { return count(Int(max(0, number).rounded()), "byte") }
    var (value, unit) = (number / 1_000, 0)
    let units = ["kB", "MB", "GB", "TB", "PB"]
    while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
    return "\(fixed(value, 1)) \(units[unit])"
  }

  /// Formats a number with this many digits after the point. Values beyond a trillion are clamped.
  static func fixed(_ number: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", min(max(-1e12, number.isNaN ? 0 : number), 1e12))
  }

  /// Formats a duration in few columns: `5 s`, `1:05 min`, `2:00 h`.
  static func shortDuration(_ seconds: Int) -> String {
    let seconds = max(0, seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3_600 { return "\(seconds / 60):\(two(seconds % 60)) min" }
    return "\(seconds / 3_600):\(two(seconds / 60 % 60)) h"
  }

  /// Replaces secret values in a text. Values shorter than four characters stay: replacing them would garble the text
  /// and reveal them by their positions.
  static func hide(_ values: [String?], in text: String) -> String {
    values.compactMap { $0 }.filter { $0.count >= 4 }.reduce(text) { text, value in
      text.replacingOccurrences(of: value, with: "<redacted>")
    }
  }

  /// The error's own description as one sentence.
  static func sentence(of error: any Error) -> String {
    let text = oneLine((error as? any LocalizedError)?.errorDescription ?? "\(error)")
    guard let first = text.first else { return "" }
    return first.uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }

  /// Shortens a text to this many characters. The beginning and the end stay, and the cut is between words where
  /// possible.
  static func shortened(_ text: String, to length: Int) -> String {
    guard text.count > length else { return text }
    let (start, end) = (text.prefix(length / 2), text.suffix(length / 2))
    let head = start.lastIndex(of: " ").map { start[..<$0] } ?? start
    let tail = end.firstIndex(of: " ").map { end[end.index(after: $0)...] } ?? end
    return "\(head) ... \(tail)"
  }

  /// Wraps a text at this many columns. Line breaks fall between words only, so a long word such as a URL stays whole.
  ///
  /// - Parameter indent: the text that every line after the first begins with.
  static func wrapped(_ text: String, to width: Int, indent: String = "") -> [String] {
    // Leading spaces aren't words, so splitting by words would lose them.
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

  /// The text with its line breaks replaced by spaces.
  static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The text without control characters other than line breaks and tabs. A server's text must not control the
  /// terminal.
  static func printable(_ text: String) -> String {
    let isHarmless = { (scalar: Unicode.Scalar) in
      // 0x80 to 0x9F are control characters too (C1), and some terminals obey them.
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
