package import Foundation

/// Reads and writes the date of a header field (RFC 9110, section 5.6.7), independent of locale and time zone.
package enum HTTPDate {
  private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  private static let shortWeekdays = weekdays.map { String($0.prefix(3)) }
  package static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The years are counted from 1 March of the year -400: a leap day then ends its year, and no number is negative. The
  /// algorithms are Howard Hinnant's `civil_from_days` and `days_from_civil`. Foundation's calendars take a hundred
  /// times as long.
  private static let daysBefore1970: Int64 = 865_565

  /// Formats a date: `Sun, 06 Nov 1994 08:49:37 GMT`. Fractions of a second are dropped, and years are limited to
  /// 0...9999.
  package static func string(from date: Date) -> String {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    let first: TimeInterval = -62_167_219_200
    // A comparison with NaN is false, and `Int64` would trap.
    let bounded = Int64(seconds > first ? min(seconds, 253_402_300_799) : first)
    let (days, second) = (bounded + daysBefore1970 * 86_400).quotientAndRemainder(dividingBy: 86_400)
    let (era, day) = days.quotientAndRemainder(dividingBy: 146_097)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = Int(march + 2) % 12
    let number = year + era * 400 - (month < 2 ? 399 : 400)
    return "\(shortWeekdays[Int(days + 3) % 7]), \(digits(dayOfYear - (153 * march + 2) / 5 + 1)) \(months[month])"
      + " \(digits(number / 100))\(digits(number % 100))"
      + " \(digits(second / 3600)):\(digits(second / 60 % 60)):\(digits(second % 60)) GMT"
  }

  private static func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The date of a day and a time in UTC; `nil` if there is no such day or time. Second 60 is a leap second.
  ///
  /// - Parameter month: from 1 to 12.
  package static func date(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) -> Date? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[Int(month - 1)]).contains(day), hour < 24, minute < 60, second <= 60 else { return nil }
    let years = year + (month <= 2 ? 399 : 400)
    let days =
      365 * years + years / 4 - years / 100 + years / 400 + (153 * ((month + 9) % 12) + 2) / 5 + day - 1
      - daysBefore1970
    return Date(timeIntervalSince1970: TimeInterval(days * 86_400 + hour * 3600 + minute * 60 + second))
  }

  /// Reads a date in any of the three formats that a recipient must accept; two of them are obsolete. The case of
  /// letters doesn't matter (RFC 9111, section 4.2). A year of two digits is at most 50 years ahead of `now`.
  ///
  /// - Returns: `nil` for a text in another format, however near to one of them. A cache would keep a response for
  ///   longer than its server said.
  package static func date(from text: String, now: Date = Date()) -> Date? {
    var parts = text.parts(separatedBy: " ")
    // `Sun Nov  6 08:49:37 1994`: asctime pads the day with a space.
    if parts.count == 6, parts[2].isEmpty { parts[2...3] = ["0" + parts[3]] }
    let date = parts.count == 4 ? parts[1].parts(separatedBy: "-") : []
    switch (parts.count, date.count) {
    // `Sun, 06 Nov 1994 08:49:37 GMT`
    case (6, 0) where isWeekday(parts[0], of: shortWeekdays, with: ",") && parts[5].equalsIgnoringASCIICase("GMT"):
      return self.date(number(parts[3], of: 4), parts[2], parts[1], parts[4])
    // `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850)
    case (4, 3) where isWeekday(parts[0], of: weekdays, with: ",") && parts[3].equalsIgnoringASCIICase("GMT"):
      return self.date(year(date[2], now: now), date[1], date[0], parts[2])
    // `Sun Nov 06 08:49:37 1994` (asctime)
    case (5, 0) where isWeekday(parts[0], of: shortWeekdays, with: ""):
      return self.date(number(parts[4], of: 4), parts[1], parts[2], parts[3])
    default: return nil
    }
  }

  private static func date(_ year: Int64?, _ month: String, _ day: String, _ clock: String) -> Date? {
    let time = clock.parts(separatedBy: ":").map { number($0, of: 2) }
    guard let year, let month = months.firstIndex(where: { $0.equalsIgnoringASCIICase(month) }),
      let day = number(day, of: 2), time.count == 3, let hour = time[0], let minute = time[1], let second = time[2]
    else { return nil }
    return date(year: year, month: Int64(month + 1), day: day, hour: hour, minute: minute, second: second)
  }

  private static func isWeekday(_ text: String, of names: [String], with end: String) -> Bool {
    names.contains { text.equalsIgnoringASCIICase($0 + end) }
  }

  private static func year(_ text: String, now: Date) -> Int64? {
    let seconds = now.timeIntervalSince1970
    // A clock that is thousands of years off can't name the century.
    guard let digits = number(text, of: 2), abs(seconds) < 1e11 else { return nil }
    let latest = 2020 + Int64((seconds / 31_556_952).rounded(.down))
    return latest - (latest - digits) % 100
  }

  private static func number(_ text: String, of digits: Int) -> Int64? {
    text.utf8.count == digits ? text.httpNumber : nil
  }
}
