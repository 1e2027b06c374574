import Foundation

/// Reads the date of a cookie, which servers write in many ways (RFC 6265, section 5.1.1).
enum CookieDate {
  static func date(from text: String) -> Date? {
    var clock: [Int64]?
    var day, month, year: Int64?
    for token in text.utf8.split(whereSeparator: delimiters.contains) {
      let digits = token.prefix(while: \.isASCIIDigit)
      let name = String(Substring(token.prefix(3)))
      if clock == nil, let found = self.clock(token) {
        clock = found
      } else if day == nil, (1...2).contains(digits.count) {
        day = Int64(Substring(digits))
      } else if month == nil, let found = HTTPDate.months.firstIndex(where: name.equalsIgnoringASCIICase) {
        month = Int64(found + 1)
      } else if year == nil, (2...4).contains(digits.count), let found = Int64(Substring(digits)) {
        // Two digits mean 1970 to 2069 (RFC 6265, section 5.1.1).
        year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
      }
    }
    guard let clock, let day, let month, let year, year >= 1601, clock[2] < 60 else { return nil }
    return HTTPDate.date(year: year, month: month, day: day, hour: clock[0], minute: clock[1], second: clock[2])
  }

  /// The set `delimiter` of the RFC. A colon is none, because it belongs to the time.
  private static let delimiters = ByteSet([0x09] + (0x20...0x2F) + (0x3B...0x40) + (0x5B...0x60) + (0x7B...0x7E))

  /// Hour, minute and second; anything but a digit may follow.
  private static func clock(_ token: Substring.UTF8View) -> [Int64]? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let numbers = [parts[0], parts[1], parts[2].prefix(while: \.isASCIIDigit)].compactMap { part in
      (1...2).contains(part.count) && part.allSatisfy(\.isASCIIDigit) ? Int64(Substring(part)) : nil
    }
    return numbers.count == 3 ? numbers : nil
  }
}
