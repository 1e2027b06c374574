/// A moment in UTC, in the proleptic Gregorian calendar. Foundation's calendars would do the same at a hundred times the
/// cost.
struct CivilTime {
  private(set) var year, month, day, hour, minute, second: Int
  /// 0 is Sunday.
  private(set) var weekday = 0

  init(secondsSince1970 seconds: Int) {
    let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    let rest = seconds - days * 86_400
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    weekday = ((days + 4) % 7 + 7) % 7
    // Counted from 1 March of the year 0, so that a leap day ends its year.
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

  init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[month - 1]).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  var secondsSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * 86_400 + hour * 3600 + minute * 60 + second
  }
}
