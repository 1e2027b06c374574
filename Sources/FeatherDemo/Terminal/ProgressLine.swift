import Foundation

/// Formats the progress of a transfer as one line:
/// `[======>       ]  42%  4.2 MB of 10.0 MB  1.3 MB/s  5 s left`.
struct ProgressLine: Equatable, Sendable {
  var bytes: Int64
  /// The total size; `nil` if the server didn't send it.
  var total: Int64?
  /// The rate in bytes per second; `nil` before the first measurement.
  var rate: Double?

  private static let narrowestBar = 8
  private static let widestBar = 40

  /// The line, at most this many columns wide. The least important parts are dropped first: the time left, the rate,
  /// the bar.
  func text(width: Int) -> String {
    let facts = [amount, rateText, timeLeft].compactMap { $0 }
    let head = percent.map { [$0] } ?? []
    for count in stride(from: facts.count, through: 1, by: -1) {
      let text = (head + facts.prefix(count)).joined(separator: "  ")
      let room = width - text.count - 4
      if total != nil, room >= Self.narrowestBar { return bar(width: min(room, Self.widestBar)) + "  " + text }
      if total == nil || count == 1, text.count <= width { return text }
    }
    return String((percent ?? Wording.bytes(bytes)).trimmingCharacters(in: .whitespaces).prefix(max(0, width)))
  }

  /// The completed fraction from 0 to 1. A server may send more bytes than it announced.
  private var fraction: Double? {
    guard let total else { return nil }
    guard total > 0 else { return 1 }
    return min(1, max(0, Double(bytes) / Double(total)))
  }

  /// The percentage, three digits wide. Only a complete transfer shows 100.
  private var percent: String? {
    guard let fraction else { return nil }
    let number = fraction < 1 ? min(99, Int(fraction * 100)) : 100
    return String(repeating: " ", count: 3 - "\(number)".count) + "\(number)%"
  }

  private var amount: String {
    guard let total else { return Wording.bytes(bytes) }
    return "\(Wording.bytes(bytes)) of \(Wording.bytes(total))"
  }

  private var rateText: String? { rate.map { "\(Wording.bytes($0))/s" } }

  private var timeLeft: String? {
    guard let total, let rate, bytes < total else { return nil }
    let seconds = Double(total - max(0, bytes)) / rate
    // An estimate of a day or more is too rough to print.
    guard seconds.isFinite, seconds < 86_400 else { return nil }
    return "\(Wording.shortDuration(Int(seconds.rounded(.up)))) left"
  }

  private func bar(width: Int) -> String {
    let filled = Int((fraction ?? 0) * Double(width))
    let tip = filled < width ? ">" : ""
    return "[" + String(repeating: "=", count: filled) + tip
      + String(repeating: " ", count: max(0, width - filled - 1)) + "]"
  }
}
