import Foundation

/// Formats numbers and texts as English, independent of the locale.
enum Wording {
  /// Formats a count: `1 byte`, `2 bytes`.
  static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  /// Formats a duration: `5 minutes`, `90 seconds`.
  static func duration(_ seconds: Int) -> String {
    seconds >= 60 && seconds % 60 == 0 ? count(seconds / 60, "minute") : count(seconds, "second")
  }

  /// Formats a size in steps of 1000: `999 bytes`, `1.0 kB`, `12.3 MB`.
  static func bytes(_ number: Int64) -> String {
    guard number >= 1_000 else { return count(Int(max(0, number)), "byte") }
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    var (value, unit) = (Double(number) / 1_000, 0)
    while value >= 999.95 { (value, unit) = (value / 1_000, unit + 1) }
    return String(format: "%.1f", value) + " " + units[unit]
  }

  /// The text with its line breaks replaced by spaces.
  static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The text without control characters other than line breaks and tabs. A server's text must not control the
  /// terminal.
  static func printable(_ text: String) -> String {
    replacingControls(in: text) { $0 == "\n" || $0 == "\t" ? String($0) : "\u{FFFD}" }
  }

  /// Replaces the control characters, C1 among them, which some terminals obey. Marks of the writing direction, which
  /// can show a line in another order, are replaced too.
  static func replacingControls(in text: String, with replacement: (Unicode.Scalar) -> String) -> String {
    let isControl = { (properties: Unicode.Scalar.Properties) in
      properties.generalCategory == .control || properties.isBidiControl
    }
    return text.unicodeScalars.map { isControl($0.properties) ? replacement($0) : String($0) }.joined()
  }
}
