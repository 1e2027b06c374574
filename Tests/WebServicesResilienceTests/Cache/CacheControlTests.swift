import Testing
@testable import WebServicesTestSupport

import WebServices
@testable import WebServicesResilience

@Suite struct CacheControlTests {
  private typealias Directive = CacheControl.Directive

  @Test(
    arguments: [
      ("", []),
      ("no-store", [Directive(name: "no-store")]),
      ("max-age=60", [Directive(name: "max-age", argument: "60")]),
      (
        "No-Cache, MAX-AGE=60 ,private",
        [Directive(name: "no-cache"), Directive(name: "max-age", argument: "60"), Directive(name: "private")]
      ),
      ("max-age=\"60\"", [Directive(name: "max-age", argument: "60")]),
      (
        "private=\"a, b\" , x=y", [Directive(name: "private", argument: "a, b"), Directive(name: "x", argument: "y")]
      ),
      ("community=\"a\\\"b\\\\c\"", [Directive(name: "community", argument: "a\"b\\c")]),
      (",,max-age=1,, ,public,", [Directive(name: "max-age", argument: "1"), Directive(name: "public")]),
      ("max-age = 5", [Directive(name: "max-age", argument: "5")]),
      ("a=\"b\" junk, c", [Directive(name: "a", argument: "b"), Directive(name: "c")]),
      ("a=\"never closed, c", [Directive(name: "a", argument: "never closed, c")]),
      ("a=\"ends with \\", [Directive(name: "a", argument: "ends with \\")]),
      ("no store, (x), =5, ok", [Directive(name: "ok")]),
      ("max-age=", [Directive(name: "max-age", argument: "")]),
      ("max-age=1, max-age=2", [Directive(name: "max-age", argument: "1"), Directive(name: "max-age", argument: "2")]),
    ] as [(String, [CacheControl.Directive])])
  func directivesAreParsed(text: String, expected: [CacheControl.Directive]) {
    #expect(CacheControl(text).directives == expected)
  }

  @Test func severalLinesAreJoined() {
    let control = CacheControl(["Cache-Control": "max-age=5", "cache-control": "no-store"])
    #expect(control.seconds(of: "max-age") == 5)
    #expect(control.contains("no-store"))
  }

  @Test(
    arguments: [
      ("0", 0), ("60", 60), ("007", 7), ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_647),
      ("99999999999999999999999999999999", 2_147_483_647), ("", nil), ("-1", nil), ("+1", nil), ("1.5", nil),
      ("1s", nil),
      (" 1", nil), ("٣", nil),
    ] as [(String, Int?)])
  func secondsAreDigitsAndBounded(text: String, expected: Int?) {
    #expect(CacheControl.seconds(text) == expected)
  }

  @Test func firstMaxAgeCountsAndInvalidOneIsZero() {
    #expect(CacheControl("max-age=10, max-age=3600").maxAge == 10)
    #expect(CacheControl("max-age").maxAge == 0)
    #expect(CacheControl("max-age=soon").maxAge == 0)
    #expect(CacheControl("max-age=-5").maxAge == 0)
    #expect(CacheControl("s-maxage=5").maxAge == nil)
  }

  @Test func maxStaleWithoutNumberAcceptsAnyAge() {
    #expect(CacheControl("max-stale").maxStale == CacheControl.secondsLimit)
    #expect(CacheControl("max-stale=7").maxStale == 7)
    #expect(CacheControl("max-stale=x").maxStale == nil)
    #expect(CacheControl("x").maxStale == nil)
  }

  @Test func noCacheWithFieldNamesAllowsReuse() {
    #expect(CacheControl("no-cache").isNoCache)
    #expect(CacheControl("no-cache=\"\"").isNoCache)
    #expect(CacheControl("no-cache=\"a\", no-cache").isNoCache)
    #expect(!CacheControl("no-cache=\"Set-Cookie, X-A\"").isNoCache)
    #expect(CacheControl("no-cache=\"Set-Cookie, X-A\"").noCacheFields == ["Set-Cookie", "X-A"])
  }

  @Test func randomBytesAreParsedToTheEnd() {
    var generator = SeededGenerator(seed: 21)
    let alphabet = Array("ab=\",\\ \t-19é;".unicodeScalars)
    for _ in 0..<3000 {
      let scalars = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      let text = String(String.UnicodeScalarView(scalars))
      #expect(CacheControl(text).directives.allSatisfy { $0.name.utf8.isHTTPToken })
      // A directive is parsed the same way after another directive.
      #expect(CacheControl("first, \(text)").directives.dropFirst() == CacheControl(text).directives[...])
    }
  }
}
