import Foundation

/// Draws a timeline as text. All phases share one time scale.
///
///     #2 success, 9.2 ms: GET http://127.0.0.1:8080/jokes
///       attempt 1: 200 over HTTP/1.1, 123 bytes
///         waiting       0.4 ms |==                            |
///         first byte    6.1 ms |  =====================       |
struct TimelineDrawing {
  private static let nameWidth = 12
  private static let timeWidth = 11
  private static let widestBar = 60
  private static let narrowestBar = 10
  /// The number of attempts that are drawn. The rest is counted in one line.
  private static let maximumAttempts = 50

  /// The assumed width of a line when the output isn't a terminal.
  private static let usualWidth = 80

  /// Draws the timeline.
  ///
  /// - Parameter width: the number of columns, at least 40; `nil` for a file or a pipe, where text isn't wrapped.
  static func lines(of timeline: Timeline, width: Int?) -> [String] {
    let textWidth = width.map { max(40, $0) } ?? .max
    let width = max(40, width ?? usualWidth)
    let attempts = timeline.attempts.prefix(maximumAttempts)
    let target = attempts.first?.target ?? "a request"
    var lines = wrapped(
      "#\(timeline.requestID) \(timeline.outcome), \(Wording.milliseconds(timeline.total)): \(target)", textWidth)
    for attempt in attempts {
      let redirected = attempt.target == target ? "" : ", \(attempt.target)"
      lines += wrapped("  attempt \(attempt.number): \(attempt.outcome)\(redirected)", textWidth)
      lines += attempt.phases.compactMap { row($0, of: timeline.total, width: width) }
    }
    if timeline.attempts.count > maximumAttempts {
      lines.append("  and \(timeline.attempts.count - maximumAttempts) more")
    }
    return lines + timeline.ending.compactMap { row($0, of: timeline.total, width: width) }
  }

  /// Draws one phase; `nil` for phases shorter than a tenth of a millisecond.
  private static func row(_ phase: TimelinePhase, of total: TimeInterval, width: Int) -> String? {
    guard phase.duration >= 0.000_1 else { return nil }
    let name = phase.name.padding(toLength: nameWidth, withPad: " ", startingAt: 0)
    let time = Wording.milliseconds(phase.duration)
    let padding = String(repeating: " ", count: max(0, timeWidth - time.count))
    let room = width - 4 - nameWidth - timeWidth - 3
    return "    \(name)\(padding)\(time) " + bar(phase, of: total, width: max(narrowestBar, min(room, widestBar)))
  }

  private static func bar(_ phase: TimelinePhase, of total: TimeInterval, width: Int) -> String {
    func column(_ time: TimeInterval) -> Int {
      guard total > 0 else { return 0 }
      return Int(min(1, max(0, time / total)) * Double(width))
    }
    // Every phase gets at least one column.
    let first = min(column(phase.start), width - 1)
    let last = min(width, max(first + 1, column(phase.end)))
    return "|" + String(repeating: " ", count: first) + String(repeating: "=", count: last - first)
      + String(repeating: " ", count: width - last) + "|"
  }

  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    Wording.wrapped(Wording.oneLine(text), to: width, indent: "      ")
  }
}
