@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct CookieJarTests {
  private let time = Locked(Date(timeIntervalSince1970: 1_800_000_000))

  private func makeJar() -> CookieJar { CookieJar { [time] in time.withLock { $0 } } }

  private func sent(_ jar: CookieJar, to text: String) throws -> String? {
    let cookies = try jar.attachment(for: HTTPURL(text)).cookies.map { "\($0.name)=\($0.value)" }
    return cookies.isEmpty ? nil : cookies.joined(separator: "; ")
  }

  /// Stores as many cookies as the jar keeps, and some more, of many hosts.
  private func fill(_ jar: CookieJar, _ scheme: String) throws {
    for host in 0..<62 {
      for number in 0..<50 { jar.store("c\(number)=1", from: testURL("\(scheme)://h.example\(host).org/")) }
    }
  }

  @Test func aRequestIsSentWithTheCookiesOfItsHostPathAndScheme() throws {
    let jar = makeJar()
    let from = testURL("https://www.example.com/shop/cart")
    for field in ["host=1", "all=2; Domain=example.com; Path=/", "secure=3; Secure; Path=/", "deep=4; Path=/shop/cart"]
    {
      #expect(jar.store(field, from: from))
    }
    let rows = [
      ("https://www.example.com/shop/cart", "deep=4; host=1; all=2; secure=3"),
      ("http://www.example.com/shop/cart/2", "deep=4; host=1; all=2"),
      ("https://www.example.com/shop", "host=1; all=2; secure=3"),
      ("https://www.example.com/shopping", "all=2; secure=3"), ("https://other.example.com/shop/", "all=2"),
      ("https://example.com:8443/", "all=2"), ("https://badexample.com/shop/cart", nil),
      ("https://example.com.evil.net/shop/cart", nil), ("https://com/shop/cart", nil),
      ("https://a.www.example.com/shop/cart", "all=2"),
    ]
    for (url, cookies) in rows { expectEqual(try sent(jar, to: url), cookies) }
    expectEqual(jar.cookies(for: from).map(\.name), ["deep", "host", "all", "secure"])
    expectEqual(jar.cookies(for: testURL("ftp://www.example.com/")), [])
    jar.store("low=5; Domain=www.example.com", from: from)
    expectEqual(jar.cookies(for: testURL("https://bad-www.example.com/shop/")).map(\.name), ["all"])
  }

  @Test func laterCookieWithSameNameDomainAndPathReplacesInPlace() throws {
    let jar = makeJar()
    let from = testURL("https://example.com/")
    for field in ["a=1", "b=2", "a=3", "a=4; Path=/x", "a=5; Domain=example.com"] { jar.store(field, from: from) }
    expectEqual(jar.count, 4)
    expectEqual(try sent(jar, to: "https://example.com/x"), "a=4; a=3; b=2; a=5")
    jar.store("a=; Max-Age=0", from: from)
    jar.store("b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", from: from)
    expectEqual(jar.count, 2)
    expectEqual(try sent(jar, to: "https://example.com/x"), "a=4; a=5")
  }

  @Test func expiredCookieIsNotSent() throws {
    let jar = makeJar()
    jar.store("a=1; Max-Age=10", from: testURL("https://example.com/"))
    time.withLock { $0 += 9.9 }
    expectEqual(try sent(jar, to: "https://example.com/"), "a=1")
    time.withLock { $0 += 0.1 }
    expectEqual(try sent(jar, to: "https://example.com/"), nil)
    expectEqual(jar.count, 0)
  }

  @Test func aResponseOverHttpNeitherReplacesNorHidesASecureCookie() throws {
    let jar = makeJar()
    jar.store("sid=1; Secure; Path=/a; Domain=example.com", from: testURL("https://example.com/"))
    for field in [
      "sid=2; Path=/a", "sid=2; Path=/a/b", "sid=; Max-Age=0; Domain=example.com; Path=/a", "sid=2; Secure",
    ] {
      #expect(!jar.store(field, from: testURL("http://www.example.com/")))
    }
    #expect(jar.store("sid=2; Path=/", from: testURL("http://www.example.com/")))
    expectEqual(try sent(jar, to: "https://www.example.com/a"), "sid=1; sid=2")
    // A cookie of a host below would be hidden too.
    jar.store("low=1; Secure; Path=/", from: testURL("https://www.example.com/"))
    #expect(!jar.store("low=2; Domain=example.com; Path=/", from: testURL("http://example.com/")))
    for host in ["www.example.org", "shop.example.com"] {
      #expect(jar.store("low=2; Path=/", from: testURL("http://\(host)/")))
    }
    // Other cookies aren't protected, and none is protected from https.
    for value in 1...2 { #expect(jar.store("plain=\(value); Path=/a", from: testURL("http://www.example.com/"))) }
    #expect(jar.store("sid=3; Path=/a; Domain=example.com", from: testURL("https://www.example.com/")))
  }

  @Test func responsesOverHttpDisplaceNoSecureCookie() throws {
    let jar = makeJar()
    jar.store("sid=1; Secure; Path=/", from: testURL("https://www.example.com/"))
    for number in 0..<60 { jar.store("c\(number)=1; Path=/", from: testURL("http://www.example.com/")) }
    try fill(jar, "http")
    expectEqual(jar.count, CookieList.limit)
    expectEqual(try sent(jar, to: "https://www.example.com/"), "sid=1")
    let secure = makeJar()
    for number in 0..<CookieList.limitPerSite {
      secure.store("s\(number)=1; Secure; Path=/", from: testURL("https://www.example.com/"))
    }
    secure.store("sid=1; Path=/", from: testURL("http://www.example.com/"))
    expectEqual(try sent(secure, to: "https://www.example.com/")?.contains("sid"), false)
  }

  @Test func oneHostFillsOnlyItsSite() throws {
    let jar = makeJar()
    jar.store("sid=1", from: testURL("https://example.com/"))
    let host = (0..<80).map { "l\($0)" }.joined(separator: ".") + ".evil.co.uk"
    var domain = host[...]
    while domain != "co.uk" {
      for number in 0..<50 { jar.store("c\(number)=1; Domain=\(domain)", from: testURL("https://\(host)/")) }
      domain = domain.drop { $0 != "." }.dropFirst()
    }
    expectEqual(jar.count, 1 + CookieList.limitPerSite)
    expectEqual(try sent(jar, to: "https://example.com/"), "sid=1")
    jar.store("own=1", from: testURL("https://other.co.uk/"))
    expectEqual(jar.count, 2 + CookieList.limitPerSite)
  }

  @Test func fieldHasABoundAndSecureCookiesHaveRoomBeforeOthers() throws {
    let jar = makeJar()
    let large = String(repeating: "v", count: 4000)
    for number in 0..<3 { jar.store("c\(number)=\(large); Path=/a", from: testURL("http://www.example.com/a")) }
    expectEqual(jar.cookies(for: testURL("http://www.example.com/a")).map(\.name), ["c0", "c1"])
    #expect(try sent(jar, to: "http://www.example.com/a")?.utf8.count ?? 0 <= CookieList.fieldLimit)
    jar.store("sid=1; Secure; Path=/", from: testURL("https://www.example.com/"))
    expectEqual(jar.cookies(for: testURL("https://www.example.com/a")).map(\.name), ["c0", "c1", "sid"])
    jar.store("big=\(large); Secure; Path=/", from: testURL("https://www.example.com/"))
    expectEqual(jar.cookies(for: testURL("https://www.example.com/a")).map(\.name), ["c0", "sid", "big"])
  }

  @Test func limitsRemoveTheLeastRecentlyUsedCookie() throws {
    let jar = makeJar()
    let from = testURL("https://example.com/")
    for number in 0..<CookieList.limitPerSite { jar.store("c\(number)=1; Path=/\(number)", from: from) }
    _ = try sent(jar, to: "https://example.com/0")
    jar.store("new=1; Path=/new", from: from)
    expectEqual(jar.count, CookieList.limitPerSite)
    expectEqual(try sent(jar, to: "https://example.com/0"), "c0=1")
    expectEqual(try sent(jar, to: "https://example.com/1"), nil)
    try fill(jar, "https")
    expectEqual(jar.count, CookieList.limit)
    expectEqual(try sent(jar, to: "https://h.example61.org/")?.hasPrefix("c0=1; c1=1"), true)
    expectEqual(try sent(jar, to: "https://example.com/0"), nil)
    // No cookie makes room if an ended one does.
    jar.store("a=1; Max-Age=10", from: from)
    time.withLock { $0 += 10 }
    jar.store("new=1", from: testURL("https://other.org/"))
    expectEqual(jar.count, CookieList.limit)
    expectEqual(jar.cookies(for: testURL("https://h.example2.org/")).count, 49)
    for number in 0..<CookieList.limitPerSite {
      jar.store("c\(number)=1; Path=/\(number)" + (number == 9 ? "; Max-Age=10" : ""), from: testURL("https://b.org/"))
    }
    time.withLock { $0 += 10 }
    jar.store("new=1", from: testURL("https://b.org/"))
    expectEqual(try sent(jar, to: "https://b.org/0"), "c0=1; new=1")
    // One response may bring more than the limit.
    let other = makeJar()
    #expect(other.store((0...CookieList.limitPerSite).map { "c\($0)=1" }, from: try HTTPURL("https://example.com/")))
    expectEqual(other.cookies(for: from).map(\.name).prefix(2), ["c1", "c2"])
  }

  @Test func noDescriptionShowsAValue() throws {
    let jar = makeJar()
    let from = testURL("https://example.com/")
    jar.store("sid=s3cr3t-value; Secure", from: from)
    #expect(!(printedTexts(of: jar) + printedTexts(of: jar.cookies(for: from))).contains("s3cr3t"))
    #expect("\(jar.cookies(for: from))".contains("sid="))
  }
}
