@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct CacheFactsTests {
  private let start = WallClock.start

  private func date(_ offset: TimeInterval) -> String { HTTPDate.string(from: start.addingTimeInterval(offset)) }

  private func lifetime(_ headers: HTTPHeaders, statusCode: Int = 200, limit: TimeInterval = 86_400) -> TimeInterval {
    cachedResponse(headers, statusCode: statusCode).facts.lifetime(ResponseCache.Rules(heuristicLimit: limit))
  }

  @Test func lifetimeFollowsRFC9111() {
    let rows: [(headers: HTTPHeaders, expected: TimeInterval)] = [
      // `max-age` comes first, and directives for shared caches don't count.
      (["Cache-Control": "max-age=60", "Date": date(0), "Expires": date(500)], 60),
      (["Cache-Control": "max-age=0", "Date": date(0), "Expires": date(500)], 0),
      (["Cache-Control": "s-maxage=1, max-age=60"], 60), (["Cache-Control": "s-maxage=60"], 0),
      // `Expires` counts from `Date`, in every case of letters. An invalid one has passed.
      (["Date": date(-30), "Expires": date(60)], 90), (["Expires": date(45)], 45),
      (["Date": date(0), "Expires": date(-90)], 0), (["Date": date(0), "Expires": date(90).lowercased()], 90),
      (["Date": date(0), "Expires": "0", "Last-Modified": date(-1000)], 0),
      (["Cache-Control": "max-age=soon", "Expires": date(500)], 0),
      // The guess is a tenth of the time without a change.
      (["Date": date(0), "Last-Modified": date(-1000)], 100), (["Last-Modified": date(-1000)], 100),
      (["Date": date(0), "Last-Modified": date(1000)], 0), (["Date": date(0), "Last-Modified": "once"], 0),
      (["Date": date(0)], 0),
    ]
    for (headers, expected) in rows { #expect(lifetime(headers) == expected, "\(headers)") }
    expectEqual(lifetime(["Date": date(0), "Last-Modified": date(-1000)], limit: 30), 30)
    #expect(!cachedResponse(["Cache-Control": "proxy-revalidate"]).facts.mustRevalidate)
  }

  @Test(arguments: [
    (200, true), (203, true), (204, true), (300, true), (301, true), (308, true), (404, false), (405, false),
    (410, false), (414, false), (501, false), (302, false), (307, false), (403, false), (500, false), (201, false),
    (206, false), (299, false), (503, false), (599, false),
  ])
  func heuristicFreshnessNeedsAPermittedStatus(statusCode: Int, isGuessed: Bool) {
    let headers: HTTPHeaders = ["Date": date(0), "Last-Modified": date(-1000)]
    expectEqual(lifetime(headers, statusCode: statusCode), (isGuessed ? 100 : 0))
    var open = headers
    open["Cache-Control"] = "public"
    expectEqual(lifetime(open, statusCode: statusCode), 100)
  }

  @Test(
    arguments: [
      // Columns: Age, seconds since Date, delay of the transfer, age on arrival.
      (nil, 0, 0, 0), ("30", 0, 0, 30), (nil, 30, 0, 30), ("30", 40, 0, 40), ("40", 30, 0, 40), ("30", 0, 5, 35),
      ("30", 40, 5, 40), ("38", 40, 5, 43), (nil, 0, 5, 5), (nil, -50, 0, 0), ("junk", 0, 0, 0), ("-7", 0, 0, 0),
      ("7, 9", 0, 0, 7), ("99999999999999999999", 0, 0, 2_147_483_647),
    ] as [(String?, TimeInterval, TimeInterval, TimeInterval)])
  func initialAgeFollowsRFC9111(age: String?, sinceDate: TimeInterval, delay: TimeInterval, expected: TimeInterval) {
    var headers: HTTPHeaders = ["Date": date(-sinceDate)]
    headers["Age"] = age
    let response = cachedResponse(headers, delay: delay)
    expectEqual(response.age(at: start), expected)
    expectEqual(response.age(at: start.addingTimeInterval(12)), expected + 12)
    // The clock was set back a little.
    expectEqual(response.age(at: start.addingTimeInterval(-12)), expected)
  }

  @Test func malformedEntityTagsAreIgnored() {
    for tag in ["\"\"", "\"a!é\"", "W/\"a\""] { #expect(tag.isEntityTag, "\(tag)") }
    for tag in ["", "\"", "W/\"", "\"a", "a\"", "\"a\"b\"", "\"a b\"", "w/\"a\""] {
      #expect(!tag.isEntityTag, "\(tag)")
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
  func invalidClockValuesNeverTrap(seconds: Double) {
    let moment = Date(timeIntervalSince1970: seconds)
    let headers: HTTPHeaders = ["Date": date(0), "Expires": date(5), "Age": "3", "Last-Modified": date(-5)]
    for (made, asked) in [(moment, start), (start, moment), (moment, moment)] {
      let response = cachedResponse(headers, at: made)
      #expect(response.delivery(to: cityRequest(), at: asked, isConfirmed: true).headers["Age"] != nil)
    }
  }
}
