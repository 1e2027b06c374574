public import Foundation

extension HTTPHeaders {
  /// How many seconds the server asks to wait, by a number or a date in `Retry-After`; `nil` if it doesn't ask.
  public var retryAfter: TimeInterval? { retryAfter(now: Date()) }

  /// The longest delay of ``retryAfter(now:)``, a hundred years in seconds.
  static let retryAfterLimit: TimeInterval = 100 * 366 * 86_400

  /// How long the server asks to wait by `Retry-After` (RFC 9110, section 10.2.3), in seconds, from 0 to a hundred
  /// years. `nil` if the field is missing, or is neither a whole number of seconds nor a date.
  ///
  /// A date is compared with the `Date` of the response, if it has one: the clocks of client and server may differ.
  package func retryAfter(now: Date) -> TimeInterval? {
    guard let text = self["Retry-After"]?.trimmingFieldWhitespace else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
      // Any number of digits is allowed; a Double takes them all.
      return Swift.min(Double(text) ?? Self.retryAfterLimit, Self.retryAfterLimit)
    }
    guard let date = HTTPDate.date(from: text, now: now) else { return nil }
    let serverDate = self["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
    return Swift.min(Swift.max(0, date.timeIntervalSince(serverDate)), Self.retryAfterLimit)
  }
}
