@testable import WebServicesTestSupport

@Suite struct HTTPDateTests {
  private let moment = Date(timeIntervalSince1970: 784_111_777)

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "sun, 06 nov 1994 08:49:37 gmt", "SUN, 06 NOV 1994 08:49:37 GMT", "SUNDAY, 06-NOV-94 08:49:37 gmt",
    "sun nov  6 08:49:37 1994",
  ])
  func allThreeFormatsAreRead(text: String) { expectEqual(HTTPDate.date(from: text, now: moment), moment) }

  @Test func dateRoundTrips() {
    expectEqual(HTTPDate.string(from: moment), "Sun, 06 Nov 1994 08:49:37 GMT")
    expectEqual(HTTPDate.string(from: Date(timeIntervalSince1970: -0.5)), "Wed, 31 Dec 1969 23:59:59 GMT")
    let leapSecond = HTTPDate.date(from: "Sat, 31 Dec 2016 23:59:60 GMT")
    expectEqual(leapSecond, Date(timeIntervalSince1970: 1_483_228_800))
    var generator = Chance(seed: 11)
    for _ in 0..<2000 {
      let date = Date(
        timeIntervalSince1970: TimeInterval(Int.random(in: -62_000_000_000...253_000_000_000, using: &generator)))
      expectEqual(HTTPDate.date(from: HTTPDate.string(from: date)), date)
    }
  }

  @Test func extremeDatesAndTwoDigitsOfAYearAreRead() {
    for seconds in [-1e300, 1e300, -.infinity, .nan] {
      expectEqual(
        HTTPDate.string(from: Date(timeIntervalSince1970: seconds)),
        seconds > 0 ? "Fri, 31 Dec 9999 23:59:59 GMT" : "Sat, 01 Jan 0000 00:00:00 GMT")
    }
    // Now is in 2026, or in 2060.
    for (now, digits, year) in [
      (1_790_000_000, "77", "1977"), (1_790_000_000, "76", "2076"), (2_850_000_000, "10", "2110"),
      (2_850_000_000, "11", "2011"), (2_850_000_000, "60", "2060"),
    ] as [(TimeInterval, String, String)] {
      let now = Date(timeIntervalSince1970: now)
      let date = HTTPDate.date(from: "Friday, 01-Jan-\(digits) 00:00:00 GMT", now: now)
      expectEqual(date.map(HTTPDate.string)?.contains(year), true)
    }
    for seconds in [-1e300, .nan] {
      let now = Date(timeIntervalSince1970: seconds)
      expectEqual(HTTPDate.date(from: "Friday, 01-Jan-77 00:00:00 GMT", now: now), nil)
    }
  }

  @Test(arguments: [
    "", "0", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 6 Nov 94 8:9 GMT", "x y z 1:2:3 5",
    "Sun, 06 Nov 19944 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov  1994 08:49:37 GMT",
    "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
    "Sun, 6 Nov 1994 08:49:37 GMT", "Abc, 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
    "Thu, 29 Feb 1900 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT",
    "Sunday, 06-Nov-94 08:49:37 PST", "Abc Nov  6 08:49:37 1994", "Sun Nov  16 08:49:37 1994",
    "Sun Nov 06 08:49:37 1994 ", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
  ])
  func otherTextsAreRefused(text: String) { expectEqual(HTTPDate.date(from: text), nil) }
}
