import Foundation

/// Parses the header fields in which servers announce rate limits.
enum RateLimitFields {
  /// A number from here on is a time in seconds since 1970. As a span it would be 31 years.
  private static let firstMoment = 1e9
  /// A number from here on is a time in milliseconds since 1970. As seconds it would be in the year 5138.
  private static let firstMillisecondMoment = 1e11
  private static let longestSpan: TimeInterval = 100 * 366 * 86_400
  /// The most limits that are read, so that a long field costs little.
  private static let maximumMembers = 64

  /// The limits of `RateLimit`: a list of items with `r`, the remaining requests, and `t`, the seconds until the reset.
  /// The earlier drafts have one dictionary of `limit`, `remaining` and `reset`.
  static func limits(_ values: [String], policies: [String]) -> [ServerRateLimit] {
    let members = members(values)
    // The form of the earlier drafts.
    if let remaining = members.first(where: { $0.key == "remaining" })?.value.flatMap(count) {
      let reset = members.first { $0.key == "reset" }?.value.flatMap(span)
      return [ServerRateLimit(remaining: remaining, resetsAfter: reset)]
    }
    lazy var policies = Self.members(policies)
    return members.compactMap { member in
      guard let remaining = member.parameters["r"].flatMap(count) else { return nil }
      // A limit without a reset ends with its policy's window.
      let reset =
        member.parameters["t"] ?? policies.first { $0.key == member.key }?.parameters["w"]
      return ServerRateLimit(remaining: remaining, resetsAfter: reset.flatMap(span))
    }
  }

  /// A whole number; a negative number counts as 0.
  static func count(_ text: String) -> Int? {
    Int(text.trimmingFieldWhitespace).map { max(0, $0) }
  }

  /// The seconds from `moment` to a reset, which servers write as a span, as a time or as a date.
  static func reset(_ text: String, at moment: Date) -> TimeInterval? {
    let text = text.trimmingFieldWhitespace
    guard let number = decimal(text) else {
      return HTTPDate.date(from: text, now: moment).map { bounded($0.timeIntervalSince(moment)) }
    }
    if number >= firstMillisecondMoment { return bounded(number / 1000 - moment.timeIntervalSince1970) }
    if number >= firstMoment { return bounded(number - moment.timeIntervalSince1970) }
    return bounded(number)
  }

  private static func span(_ text: String) -> TimeInterval? {
    decimal(text.trimmingFieldWhitespace).map(bounded)
  }

  /// Digits with a point, nothing else: `Double` would take `nan`, `inf` and hexadecimal numbers too.
  private static func decimal(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }) else { return nil }
    return Double(text)
  }

  private static func bounded(_ seconds: TimeInterval) -> TimeInterval { min(max(0, seconds), longestSpan) }

  /// A member of a list (`"default";r=50;t=30`) or of a dictionary (`remaining=50`), its parameters' names in lower
  /// case.
  private struct Member {
    var key: String
    var value: String?
    var parameters: [String: String] = [:]
  }

  private static func members(_ values: [String]) -> [Member] {
    let texts = values.lazy.flatMap { pieces($0, separator: ",") }
    return texts.prefix(maximumMembers).map { text in
      var pieces = pieces(text, separator: ";")[...]
      let (key, value) = pair(pieces.popFirst() ?? "")
      var member = Member(key: key, value: value)
      for piece in pieces {
        let (name, value) = pair(piece)
        if member.parameters[name] == nil { member.parameters[name] = value }
      }
      return member
    }
  }

  /// `name=value`, the name in lower case unless it is quoted.
  private static func pair(_ text: String) -> (String, String?) {
    let text = text.trimmingFieldWhitespace
    guard !text.hasPrefix("\""), let equals = text.firstIndex(of: "=") else {
      return (text.hasPrefix("\"") ? text : text.lowercased(), nil)
    }
    return (text[..<equals].lowercased(), String(text[text.index(after: equals)...]))
  }

  /// The pieces between separators that aren't in a quoted string.
  private static func pieces(_ text: String, separator: Unicode.Scalar) -> [String] {
    var pieces: [String.UnicodeScalarView] = [.init()]
    var (isQuoted, isEscaped) = (false, false)
    for scalar in text.unicodeScalars {
      if scalar == separator, !isQuoted {
        pieces.append(.init())
        continue
      }
      if scalar == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && scalar == "\\" && !isEscaped
      pieces[pieces.count - 1].append(scalar)
    }
    return pieces.map { String($0) }
  }
}
