@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct RequestURLTests {
  private func url(_ path: String, base: String? = nil, _ items: [URLQueryItem] = []) throws -> String {
    try RequestURL.make(path: path, base: RequestURL.base(base.flatMap { URL(string: $0) }), queryItems: items)
      .text
  }

  @Test(arguments: [
    ("https://h", "jokes", "https://h/jokes"), ("https://h/", "/jokes", "https://h/jokes"),
    ("https://h/v1", "jokes", "https://h/v1/jokes"), ("https://h/v1/", "/jokes/", "https://h/v1/jokes/"),
    ("https://h/v1", "", "https://h/v1"), ("https://h", "", "https://h/"),
    ("https://h/v1?k=1", "a?b=2", "https://h/v1/a?k=1&b=2"), ("https://h:8443", "a", "https://h:8443/a"),
    ("HTTPS://h", "a", "https://h/a"), ("http://[::1]:80/x", "a", "http://[::1]/x/a"),
  ])
  func pathIsAppendedToTheBaseURL(base: String, path: String, expected: String) throws {
    expectEqual(try url(path, base: base), expected)
  }

  @Test func itemsOfTheConfigurationAreSentWithoutOthersToo() throws {
    let base = RequestURL.base(URL(string: "https://h/v1"))
    let items = [URLQueryItem(name: "key", value: "k")]
    for path in ["a", "https://h/v1/a"] {
      expectEqual(
        try RequestURL.make(path: path, base: base, baseItems: items, queryItems: []).text, "https://h/v1/a?key=k")
    }
  }

  @Test func absoluteURLIgnoresTheBase() throws {
    expectEqual(try url("http://other/x", base: "https://h/v1"), "http://other/x")
    expectEqual(try url("http://h?a=b"), "http://h/?a=b")
    expectEqual(try url("http://h/x#fragment"), "http://h/x")
    expectEqual(try RequestURL.make(path: "http://h/x#fragment", base: nil, queryItems: []).fragment, nil)
    expectEqual(try url("redirect/http://h/", base: "https://h"), "https://h/redirect/http://h/")
  }

  @Test(arguments: [
    ("a b", "a%20b"), ("straße/ü", "stra%C3%9Fe/%C3%BC"), ("a%20b", "a%20b"), ("100%", "100%25"),
    ("50%zz", "50%25zz"), ("%4", "%254"), ("a;b=c,d@e:f", "a;b=c,d@e:f"), ("日本", "%E6%97%A5%E6%9C%AC"),
    ("a%2Eb", "a%2Eb"), ("%2e%zz", "%2e%25zz"),
    ("[x]", "%5Bx%5D"), (#"a"b<c>d\e^f`g{h|i}"#, "a%22b%3Cc%3Ed%5Ce%5Ef%60g%7Bh%7Ci%7D"), ("a%2Fb", "a%2Fb"),
  ])
  func pathsAreEscapedOnce(path: String, expected: String) throws {
    expectEqual(try url(path, base: "https://h"), "https://h/\(expected)")
  }

  @Test func queryInThePathStays() throws {
    expectEqual(try url("p?a=1&b=c+d&e=%20&f=ü x", base: "https://h"), "https://h/p?a=1&b=c+d&e=%20&f=%C3%BC%20x")
  }

  @Test(arguments: ["../admin", "a/../b", "a/.", "%2e%2E/x", ".%2e/x", "a/%2e", "./x"])
  func pathsWithDotSegmentsAreRefused(path: String) {
    #expect(throws: HTTPURL.Invalid.self) { try url(path, base: "https://h/v1") }
    #expect(throws: HTTPURL.Invalid.self) { try url("https://h/v1/\(path)") }
  }

  @Test func hostWithoutASchemeIsRefused() {
    #expect(throws: HTTPURL.Invalid.self) { try url("//other/x", base: "https://h/v1") }
  }

  @Test(arguments: ["..a", ".well-known/x", "...", "a..b"])
  func namesBeginningWithDotsAreAllowed(path: String) throws {
    expectEqual(try url(path, base: "https://h"), "https://h/\(path)")
  }

  @Test(arguments: ["relative", "ftp://h", "mailto:a@b", "https://u:p@h"])
  func invalidBaseIsRefused(base: String) {
    #expect(throws: HTTPURL.Invalid.self) { try url("x", base: base) }
  }

  /// A path of plain characters and escapes takes a short way, which an item of the configuration closes.
  @Test func plainPathsLeadToTheSameURLAsOthers() throws {
    let pieces = ["/", "a", "b", ".", "?", "=", "&", ":", "//", "https://h", "%", "%41", "%2e", "%2E", "#", "ü"]
    var plainCount = 0
    for base in ["https://h", "https://h/v1", "https://h/v1/", "https://h/v1//", "https://h:8443/v", "https://h/v?a=1"]
    {
      for (index, text) in randomTexts(2_000, seed: 8, of: pieces, lengths: 0...7).enumerated() {
        let path = (index.isMultiple(of: 2) ? "https://h/" : "") + text
        let parsed = try HTTPURL(base)
        guard let plain = parsed.appending(plain: path) else { continue }
        plainCount += 1
        let items = [URLQueryItem(name: "z", value: "ü")]
        let other = try RequestURL.make(path: path, base: .success(parsed), baseItems: items, queryItems: [])
        expectEqual(other.text, plain.text + (plain.text.contains("?") ? "&z=%C3%BC" : "?z=%C3%BC"))
        expectEqual(other.path, plain.path)
        let short = try RequestURL.make(path: path, base: .success(parsed), queryItems: items)
        expectEqual([short.text, String(short.path)], [other.text, String(other.path)])
      }
    }
    #expect(plainCount > 1_000)
  }

  /// An absolute URL of plain characters takes a short way, which a fragment closes. The origin of the URL before is
  /// taken for the same origin alone.
  @Test func plainAbsoluteURLsAreReadAsOthers() throws {
    let starts = ["http://", "https://h", "https://h/", "HTTPS://h/"]
    let pieces = ["/", "a", ".", "?", "=", ":", ":8080", ":443", "@", "H", "[::1]", "%", "%41", "%2e", "ü"]
    let last = Locked<URLOrigin?>(nil)
    var (plainCount, reusedCount) = (0, 0)
    for (index, text) in randomTexts(10_000, seed: 9, of: pieces, lengths: 0...5).enumerated() {
      let known = last.withLock { $0 }
      guard let plain = HTTPURL(plain: starts[index % 4] + text, last: last) else { continue }
      plainCount += 1
      if plain.origin === known { reusedCount += 1 }
      let other = try RequestURL.make(path: plain.text + "#f", base: nil, queryItems: [])
      expectEqual([other.text, other.origin.text], [plain.text, plain.origin.text])
      expectEqual(other.path, plain.path)
    }
    #expect(plainCount > 500)
    #expect(reusedCount > 100)
  }
}
