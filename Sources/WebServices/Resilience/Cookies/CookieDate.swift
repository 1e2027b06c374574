import Foundation

/// Reads the date of a cookie, which servers write in many ways (RFC 6265, section 5.1.1).
enum CookieDate {
  static func date(from text: String) -> Date? {
    var clock: [Int64]?
    var day, month, year: Int64?
    for token in text.utf8.split(whereSeparator: isDelimiter) {
      if clock == nil, let found = self.clock(token) {
        clock = found
      } else if day == nil, let found = number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = self.month(token) {
        month = found
      } else if year == nil, let found = number(token, digits: 2...4) {
        // Two digits mean 1970 to 2069 (RFC 6265, section 5.1.1).
        year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
      }
    }
    guard let clock, let day, let month, let year, year >= 1601, clock[2] < 60 else { return nil }
    return HTTPDate.date(year: year, month: month, day: day, hour: clock[0], minute: clock[1], second: clock[2])
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    // The set `delimiter` of the RFC. A colon is none, because it belongs to the time.
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Hour, minute and second; anything but a digit may follow.
  private static func clock(_ token: Substring.UTF8View) -> [Int64]? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let last = parts[2].prefix(while: \.isASCIIDigit)
    let numbers = [parts[0], parts[1], last].compactMap { part in
      (1...2).contains(part.count) && part.allSatisfy(\.isASCIIDigit)
        ? Int64(String(decoding: part, as: UTF8.self)) : nil
    }
    return numbers.count == 3 ? numbers : nil
  }

  /// The number at the start of the token, if it has this many digits.
  private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int64? {
    let number = token.prefix(while: \.isASCIIDigit)
    return digits.contains(number.count) ? Int64(String(decoding: number, as: UTF8.self)) : nil
  }

  private static func month(_ token: Substring.UTF8View) -> Int64? {
    let start = String(decoding: token.prefix(3), as: UTF8.self)
    return HTTPDate.months.firstIndex { $0.equalsIgnoringASCIICase(start) }.map { Int64($0 + 1) }
  }
}
