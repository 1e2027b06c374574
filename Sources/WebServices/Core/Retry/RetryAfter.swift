package import Foundation

/// The value of `Retry-After`: when a server wants the client to come back (RFC 9110, section 10.2.3).
package enum RetryAfter: Hashable, Sendable {
  /// This many seconds after the response, at most a hundred years.
  case seconds(TimeInterval)
  /// This point in time.
  case date(Date)

  private static let century: TimeInterval = 100 * 366 * 86_400

  /// Reads the value of the field; `nil` when it is neither a whole number of seconds nor a date.
  package init?(_ value: String, now: Date = Date()) {
    let text = value.trimmingFieldWhitespace
    if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
      // Any number of digits is allowed; a Double takes them all.
      self = .seconds(min(Double(text) ?? Self.century, Self.century))
    } else if let date = HTTPDate.date(from: text, now: now) {
      self = .date(date)
    } else {
      return nil
    }
  }

  /// How long to wait, in seconds, never negative.
  ///
  /// - Parameter moment: the server's time when it responded.
  package func delay(since moment: Date) -> TimeInterval {
    switch self {
    case .seconds(let seconds): max(0, seconds)
    case .date(let date): min(max(0, date.timeIntervalSince(moment)), Self.century)
    }
  }

  /// How long the response with these headers asks to wait, in seconds; `nil` when it doesn't.
  ///
  /// A date is compared with the `Date` of the response, if it has one: the clocks of client and server may differ.
  package static func delay(in headers: HTTPHeaders, now: Date) -> TimeInterval? {
    guard let value = headers["Retry-After"], let retryAfter = RetryAfter(value, now: now) else { return nil }
    return retryAfter.delay(since: headers.serverDate(now: now))
  }
}

extension HTTPHeaders {
  /// The server's time, or `now` when the response doesn't say.
  package func serverDate(now: Date) -> Date {
    self["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
  }
}
