@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct CacheControlTests {
  @Test(
    arguments: [
      ("", []), ("no-store", ["no-store"]), ("max-age=60", ["max-age=60"]),
      ("No-Cache, MAX-AGE=60 ,private", ["no-cache", "max-age=60", "private"]), ("max-age=\"60\"", ["max-age=60"]),
      ("private=\"a, b\" , x=y", ["private=a, b", "x=y"]), ("community=\"a\\\"b\\\\c\"", ["community=a\"b\\c"]),
      (",,max-age=1,, ,public,", ["max-age=1", "public"]), ("max-age = 5", ["max-age=5"]),
      ("a=\"b\" junk, c", ["a=b", "c"]), ("a=\"never closed, c", ["a=never closed, c"]),
      ("a=\"ends with \\", ["a=ends with \\"]), ("no store, (x), =5, ok", ["ok"]), ("max-age=", ["max-age="]),
      ("max-age=1, max-age=2", ["max-age=1", "max-age=2"]),
    ] as [(String, [String])])
  func directivesAreParsed(text: String, expected: [String]) { expectEqual(words(CacheControl(text)), expected) }

  private func words(_ control: CacheControl) -> [String] {
    control.directives.map { directive in directive.name + (directive.argument.map { "=" + $0 } ?? "") }
  }

  @Test func everyLineIsReadAlone() {
    let control = CacheControl(["Cache-Control": "max-age=5, a=\"never closed", "cache-control": "no-store"])
    expectEqual(control.time("max-age"), 5)
    #expect(control.contains("no-store"))
  }

  @Test(
    arguments: [
      ("0", 0), ("60", 60), ("007", 7), ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_647),
      ("99999999999999999999999999999999", 2_147_483_647), ("", nil), ("-1", nil), ("+1", nil), ("1.5", nil),
      ("1s", nil), (" 1", nil), ("٣", nil),
    ] as [(String, Int?)])
  func secondsAreDigitsAndBounded(text: String, expected: Int?) { expectEqual(CacheControl.seconds(text), expected) }
}
