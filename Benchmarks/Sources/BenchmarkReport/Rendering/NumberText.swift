import Foundation

/// Formats numbers for a report.
package enum NumberText {
  /// Formats a number with this many decimals and with commas between thousands.
  package static func fixed(_ value: Double, digits: Int = 0) -> String {
    guard value.isFinite else { return "–" }
    let text = String(format: "%.\(digits)f", abs(value))
    let parts = text.split(separator: ".", maxSplits: 1)
    var grouped = ""
    for (index, digit) in parts[0].enumerated() {
      if index > 0 && (parts[0].count - index).isMultiple(of: 3) { grouped.append(",") }
      grouped.append(digit)
    }
    let isZero = text.allSatisfy { $0 == "0" || $0 == "." }
    return (value < 0 && !isZero ? "-" : "") + grouped + (parts.count > 1 ? "." + parts[1] : "")
  }

  /// Formats a number with about three significant digits.
  package static func short(_ value: Double) -> String {
    fixed(value, digits: abs(value) < 10 ? 2 : abs(value) < 100 ? 1 : 0)
  }

  package static func short(_ value: Double?) -> String {
    value.map { short($0) } ?? "–"
  }

  /// Formats a share as a percentage.
  package static func percent(_ share: Double?) -> String {
    guard let share, share.isFinite else { return "–" }
    return fixed(share * 100) + "%"
  }

  /// Formats bytes as megabytes.
  package static func megabytes(_ bytes: Double) -> String {
    fixed(bytes / 1e6, digits: 1)
  }
}
