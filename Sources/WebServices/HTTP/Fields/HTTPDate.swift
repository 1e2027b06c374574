package import Foundation

/// Reads and writes the date of a header field (RFC 9110, section 5.6.7), independent of locale and time zone.
package enum HTTPDate {
  private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  package static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Formats a date: `Sun, 06 Nov 1994 08:49:37 GMT`. Fractions of a second are dropped, and years are limited to
  /// 0...9999.
  package static func string(from date: Date) -> String {
    let range = CivilTime.writableSeconds
    let seconds = min(max(date.timeIntervalSince1970.rounded(.down), range.lowerBound), range.upperBound)
    // `Int64` traps for NaN, which `min` and `max` pass on.
    let civil = CivilTime(secondsSince1970: seconds.isNaN ? 0 : Int64(seconds))
    let (weekday, month) = (weekdays[Int(civil.weekday)], months[Int(civil.month - 1)])
    return "\(weekday.prefix(3)), \(civil.digits(civil.day)) \(month) \(civil.digits(civil.year, 4)) \(civil.clock) GMT"
  }

  /// Reads a date in any of the three formats that a recipient must accept; two of them are obsolete. The case of
  /// letters doesn't matter (RFC 9111, section 4.2). A year of two digits is at most 50 years ahead of `now`.
  ///
  /// - Returns: `nil` for a text in another format, however near to one of them. A cache would keep a response for longer
  ///   than its server said.
  package static func date(from text: String, now: Date = Date()) -> Date? {
    var parts = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
    // `Sun Nov  6 08:49:37 1994`: asctime pads the day with a space.
    if parts.count == 6, parts[2].isEmpty { parts[2...3] = ["0" + parts[3]] }
    let date =
      parts.count > 1 ? parts[1].split(separator: "-", omittingEmptySubsequences: false).map { String($0) } : []
    switch (parts.count, date.count) {
    // `Sun, 06 Nov 1994 08:49:37 GMT`
    case (6, 1) where isWeekday(parts[0], { $0.prefix(3) + "," }) && parts[5].equalsIgnoringASCIICase("GMT"):
      return self.date(number(parts[3], of: 4), parts[2], parts[1], parts[4])
    // `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850)
    case (4, 3) where isWeekday(parts[0], { $0 + "," }) && parts[3].equalsIgnoringASCIICase("GMT"):
      return self.date(year(date[2], now: now), date[1], date[0], parts[2])
    // `Sun Nov 06 08:49:37 1994` (asctime)
    case (5, 1) where isWeekday(parts[0], { "\($0.prefix(3))" }):
      return self.date(number(parts[4], of: 4), parts[1], parts[2], parts[3])
    default:
      return nil
    }
  }

  private static func date(_ year: Int64?, _ month: String, _ day: String, _ clock: String) -> Date? {
    let time = clock.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), of: 2) }
    guard let year, let month = months.firstIndex(where: { $0.equalsIgnoringASCIICase(month) }),
      let day = number(day, of: 2), time.count == 3, let hour = time[0], let minute = time[1], let second = time[2]
    else { return nil }
    let civil = CivilTime(year: year, month: Int64(month + 1), day: day, hour: hour, minute: minute, second: second)
    return civil.map { Date(timeIntervalSince1970: TimeInterval($0.secondsSince1970)) }
  }

  private static func isWeekday(_ text: String, _ form: (String) -> String) -> Bool {
    weekdays.contains { text.equalsIgnoringASCIICase(form($0)) }
  }

  private static func year(_ text: String, now: Date) -> Int64? {
    guard let digits = number(text, of: 2) else { return nil }
    let seconds = now.timeIntervalSince1970
    // A clock that is thousands of years off can't name the century.
    guard seconds.isFinite, abs(seconds) < 1e11 else { return nil }
    let current = CivilTime(secondsSince1970: Int64(seconds)).year
    let candidate = current - current % 100 + digits
    return candidate > current + 50 ? candidate - 100 : candidate
  }

  private static func number(_ text: String, of digits: Int) -> Int64? {
    text.utf8.count == digits ? text.httpNumber : nil
  }
}

/// Converts between seconds since 1970 and a date and time in UTC, in the proleptic Gregorian calendar. Foundation's
/// calendars would do the same at a hundred times the cost.
///
/// The algorithms are Howard Hinnant's `civil_from_days` and `days_from_civil`. A year begins on 1 March there, so that
/// a leap day ends it. An era has 400 years, which are 146,097 days. 719,468 days lie between 1 March 0000 and 1970.
package struct CivilTime {
  // 64 bits, because the seconds of a far year don't fit into an `Int` of 32 bits.
  private(set) var year, month, day, hour, minute, second: Int64
  /// 0 is Sunday.
  private(set) var weekday: Int64 = 0

  init(secondsSince1970 seconds: Int64) {
    // Rounded down, also before 1970.
    let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    let rest = seconds - days * 86_400
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    // 1 January 1970 was a Thursday.
    weekday = ((days + 4) % 7 + 7) % 7
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package init?(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    // Second 60 is a leap second.
    guard (1...12).contains(month), (1...lengths[Int(month - 1)]).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  package var secondsSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// The first second of the year 0 and the last one of the year 9999.
  static let writableSeconds: ClosedRange<TimeInterval> = -62_167_219_200...253_402_300_799

  /// `08:49:37`
  var clock: String { "\(digits(hour)):\(digits(minute)):\(digits(second))" }

  /// `2001-09-09T01:46:40Z`
  var iso8601: String { "\(digits(year, 4))-\(digits(month))-\(digits(day))T\(clock)Z" }

  fileprivate func digits(_ number: Int64, _ count: Int = 2) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
