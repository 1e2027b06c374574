@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct SetCookieTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func cookie(
    _ field: String, from url: String = "https://www.example.com/a/b"
  ) throws -> CookieJar.Cookie? {
    try CookieJar.Cookie(field, from: HTTPURL(url), now: Self.now)
  }

  @Test func nameValueAndAttributesAreReadAsRFC6265Says() throws {
    let cookie = try #require(
      try cookie("  sid = \"a b=c\" ; Path=/x; HttpOnly; secure; SameSite=Lax; Domain=.Example.COM; Max-Age=60"))
    #expect(cookie.name == "sid" && cookie.value == "\"a b=c\"")
    #expect(cookie.domain == "example.com" && !cookie.isHostOnly && cookie.path == "/x")
    #expect(cookie.isSecure && cookie.isHTTPOnly && cookie.expires == Self.now.addingTimeInterval(60))
    let plain = try #require(try self.cookie("a="))
    #expect(plain.value == "" && plain.domain == "www.example.com" && plain.isHostOnly && plain.path == "/a")
    #expect(!plain.isSecure && !plain.isHTTPOnly && plain.expires == nil)
    expectEqual(try self.cookie("a=b", from: "https://www.example.com/a")?.path, "/")
    expectEqual(try self.cookie("a=\tb\tc\t")?.value, "b\tc")
  }

  @Test func lastValidAttributeWithANameWins() throws {
    expectEqual(try cookie("a=b; Path=/x; path=/y")?.path, "/y")
    expectEqual(try cookie("a=b; Path=/x; path=x")?.path, "/a")
    expectEqual(try cookie("a=b; Domain=")?.isHostOnly, true)
    #expect(try cookie("a=" + String(repeating: "b", count: 4095)) != nil)
    expectEqual(try cookie("a=b; Max-Age=5; Max-Age=x; Max-Age=+7")?.expires, Self.now.addingTimeInterval(5))
    expectEqual(try cookie("a=b;;;=;=x; Path=/" + String(repeating: "x", count: 1024))?.path, "/a")
  }

  @Test func maxAgeOverridesExpiresAndIsAtMost400Days() throws {
    let far = Self.now.addingTimeInterval(400 * 86_400)
    expectEqual(try cookie("a=b; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT")?.expires, Self.now + 10)
    expectEqual(try cookie("a=b; Max-Age=99999999999999999999999")?.expires, far)
    expectEqual(try cookie("a=b; Expires=Fri, 31 Dec 9999 23:59:59 GMT")?.expires, far)
    for end in ["Max-Age=0", "Max-Age=-5", "Max-Age=-99999999999999999999", "Expires=Thu, 01-Jan-70 00:00:01 GMT"] {
      expectEqual(try cookie("a=b; \(end)")?.hasEnded(at: Self.now), true)
    }
    for end in ["Expires=tomorrow", "Max-Age=", "Max-Age=-", "Max-Age"] {
      expectEqual(try cookie("a=b; \(end)")?.expires, nil)
    }
  }

  @Test(arguments: [
    "", ";", "=", "=a", "name", "a\u{0}=b", "a=b\u{1}", "a=b\r\nX: y", "a=\u{7F}", "a=J\u{FC}rgen", "\u{1F36A}=a",
    "a=" + String(repeating: "b", count: 4096),
  ])
  func aFieldThatIsMalformedTooLargeOrNotASCIISetsNothing(_ field: String) throws {
    expectEqual(try cookie(field), nil)
  }

  @Test func domainMustBeTheHostOrAParentWithADot() throws {
    let hosts: [(domain: String, host: String, isHostOnly: Bool?)] = [
      ("example.com", "example.com", false), ("example.com", "a.b.example.com", false),
      ("b.example.com", "a.b.example.com", false), ("a.example.com", "example.com", nil),
      ("other.com", "example.com", nil), ("ample.com", "example.com", nil), ("com", "example.com", nil),
      (".com", "example.com", nil), ("..example.com", "example.com", nil), ("example.com.", "www.example.com", nil),
      ("com.", "example.com.", nil), ("example..com", "a.example..com", nil), ("localhost", "localhost", true),
      ("co.uk", "shop.co.uk", nil), ("co.uk", "co.uk", true), ("com.au", "a.b.com.au", nil),
      ("example.de", "www.example.de", false), ("co.example.uk", "a.co.example.uk", false),
      ("co.com", "a.co.com", false),
      ("127.0.0.1", "127.0.0.1", true), ("0.0.1", "127.0.0.1", nil), ("0.1", "127.0.0.1", nil),
      ("[::1]", "[::1]", true), ("1]", "[::1]", nil), ("3.4]", "[::ffff:1.2.3.4]", nil), ("0.0x1", "127.0.0.0x1", nil),
    ]
    for (domain, host, isHostOnly) in hosts {
      #expect(CookieDomain.isHostOnly(domain, setBy: host) == isHostOnly, "\(domain) at \(host)")
    }
  }

  @Test func secureAttributeAndNamePrefixesAreEnforced() throws {
    expectEqual(try cookie("a=b; Secure", from: "http://example.com/"), nil)
    for (field, isAllowed) in [
      ("__Secure-a=b", false), ("__Secure-a=b; Secure", true), ("__host-a=b; Secure; Path=/", true),
      ("__Host-a=b; Path=/", false), ("__Host-a=b; Secure", false),
      ("__Host-a=b; Secure; Path=/; Domain=www.example.com", false),
    ] { expectEqual(try cookie(field) != nil, isAllowed) }
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("6 nov 1994 8:49:37", 784_111_777),
    ("1994 november 6th 08:49:37pm", 784_111_777), ("08:49:37;06/Nov/94", 784_111_777),
    ("Thu, 01-Jan-1970 00:00:10 GMT", 10), ("Thu, 01-Jan-1970 00:00:10 GMT+0000", 10),
    ("Sat, 01 Jan 00 00:00:00 GMT", 946_684_800), ("06 Nov 69 08:49:37", 3_150_953_377),
    ("06 Nov 70 08:49:37", 26_729_377), ("06 Nov 99 08:49:37", 941_878_177), ("06 Nov 1601 08:49:37", -11_617_744_223),
    ("06 Nov 1994 08:49:37 01:02:03 Jan", 784_111_777),
  ])
  func datesAreReadInEveryFormThatServersSend(_ text: String, _ seconds: TimeInterval) {
    expectEqual(CookieDate.date(from: text)?.timeIntervalSince1970, seconds)
  }

  @Test(arguments: [
    "", "0", "Sun, 06 Nov 1994", "06 Nov 08:49:37", "06 1994 08:49:37", "32 Jan 1994 08:49:37", "30 Feb 1994 08:49:37",
    "06 Nov 1994 24:00:00", "06 Nov 1994 08:60:00", "06 Nov 1994 08:49:60", "06 Nov 1600 08:49:37",
    "06 Nov 99999 08:49:37", "06 Nov 1994 123:49:37", "::", "1:2", "99999999999999999999 Nov 1994 08:49:37",
    "006 Nov 1994 08:49:37", "06 Nov 1994 008:49:37", "06 Nov 1994 8x:49:37",
  ])
  func invalidDateIsNil(_ text: String) { expectEqual(CookieDate.date(from: text), nil) }

  @Test func randomFieldsNeverTrapHereOrInCacheControl() throws {
    let pieces = [
      "=", ";", " ", "\t", "\"", ",", ".", ":", "/", "-", "a", "9", "Expires", "Max-Age", "Domain", "Path", "\u{FF}",
    ]
    for field in randomTexts(5000, seed: 11, of: pieces, lengths: 0...20) {
      _ = try cookie(field)
      _ = CookieDate.date(from: field)
      #expect(CacheControl(field).directives.allSatisfy { $0.name.utf8.isHTTPToken })
    }
  }
}
