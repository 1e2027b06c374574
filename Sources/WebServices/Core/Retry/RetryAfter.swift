public import Foundation

/// Reads `Retry-After`, by which a server says when the client may come back (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// The longest delay, a hundred years in seconds.
  static let longest: TimeInterval = 100 * 366 * 86_400

  /// How long the response with these headers asks to wait, in seconds, from 0 to a hundred years. `nil` if the field is
  /// missing, or is neither a whole number of seconds nor a date.
  ///
  /// A date is compared with the `Date` of the response, if it has one: the clocks of client and server may differ.
  package static func delay(in headers: HTTPHeaders, now: Date) -> TimeInterval? {
    guard let text = headers["Retry-After"]?.trimmingFieldWhitespace else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
      // Any number of digits is allowed; a Double takes them all.
      return min(Double(text) ?? longest, longest)
    }
    guard let date = HTTPDate.date(from: text, now: now) else { return nil }
    return min(max(0, date.timeIntervalSince(headers.serverDate(now: now))), longest)
  }
}

extension HTTPHeaders {
  /// How many seconds the server asks to wait, by a number or a date in `Retry-After`; `nil` if it doesn't ask.
  public var retryAfter: TimeInterval? { RetryAfter.delay(in: self, now: Date()) }

  /// The server's time, or `now` when the response doesn't say.
  package func serverDate(now: Date) -> Date {
    self["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
  }
}
