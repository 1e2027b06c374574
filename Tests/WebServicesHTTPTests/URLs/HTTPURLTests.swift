@testable import WebServicesTestSupport
@testable import WebServicesHTTP

/// The http and https cases of the public lists: the URL standard's own, and RFC 3986, section 5.4. The table names the
/// cases in which the library differs from a browser.
@Suite struct HTTPURLTests {
  private static let absoluteURLs: [(String, String)] = [
    ("http://example.org/foo/bar", "http://example.org/foo/bar"), ("HTTP://EXAMPLE.ORG/Foo", "http://example.org/Foo"),
    ("https://example.org", "https://example.org/"), ("https://example.org?q", "https://example.org/?q"),
    ("https://example.org/?", "https://example.org/?"), ("http://f:/c", "http://f/c"), ("http://f:80/c", "http://f/c"),
    ("https://f:443/c", "https://f/c"), ("https://f:80/c", "https://f:80/c"), ("http://f:0/c", "http://f:0/c"),
    ("http://f:00000000000000000000080/c", "http://f/c"), ("http://f:21/ b ? d ", "http://f:21/%20b%20?%20d"),
    ("  http://f/c  ", "http://f/c"), ("http://[2001::1]", "http://[2001::1]/"),
    ("http://[2001::1]:80", "http://[2001::1]/"), ("http://[2001:DB8::1]:8080/x", "http://[2001:db8::1]:8080/x"),
    ("http://[::127.0.0.1]", "http://[::127.0.0.1]/"), ("http://[FE80::1%25enP4]/", "http://[fe80::1%25enP4]/"),
    ("http://foo/path;a??e", "http://foo/path;a??e"), ("http://example.com/././foo", "http://example.com/foo"),
    ("http://example.com/./.foo", "http://example.com/.foo"), ("http://example.com/foo/.", "http://example.com/foo/"),
    ("http://example.com/foo/./", "http://example.com/foo/"),
    ("http://example.com/foo/bar/..", "http://example.com/foo/"),
    ("http://example.com/foo/bar/../ton", "http://example.com/foo/ton"),
    ("http://example.com/foo/bar/../ton/../../a", "http://example.com/a"),
    ("http://example.com/foo/../../..", "http://example.com/"),
    ("http://example.com/foo/../../../ton", "http://example.com/ton"),
    ("http://example.com/foo/%2e", "http://example.com/foo/"),
    ("http://example.com/foo/%2e%2", "http://example.com/foo/%2e%252"),
    ("http://example.com/foo/%3e/%4E", "http://example.com/foo/%3e/%4E"),
    ("http://example.com/foo/%2e./%2e%2e/.%2e/%2e.bar", "http://example.com/%2e.bar"),
    ("http://example.com////../..", "http://example.com//"),
    ("http://example.com/foo/bar//../..", "http://example.com/foo/"),
    ("http://example.com/foo/bar//..", "http://example.com/foo/bar/"),
    ("http://example.com/foo%41%7a", "http://example.com/foo%41%7a"),
    ("http://example.com/(%28:%3A%29)", "http://example.com/(%28:%3A%29)"),
    ("http://example.com/foo\u{00E9}", "http://example.com/foo%C3%A9"),
    ("http://example.com/a\\b", "http://example.com/a%5Cb"),
    ("http://example.com/a\"b<c>d`e{f}", "http://example.com/a%22b%3Cc%3Ed%60e%7Bf%7D"),
    ("http://localhost:3000/jqueryui@1.2.3", "http://localhost:3000/jqueryui@1.2.3"),
    ("http://foo.com/\\@", "http://foo.com/%5C@"), ("http://user:pass@foo:21/bar;par?b", "http://foo:21/bar;par?b"),
    ("http://foo.com:b@d/", "http://d/"), ("https://:@test", "https://test/"), ("http://a@b@c/", "http://c/"),
    ("http://!$&'()*+,-.;=_~/", "http://!$&'()*+,-.;=_~/"),
  ]

  @Test(arguments: absoluteURLs)
  func absoluteURLsAreWrittenInOneWay(_ text: String, expected: String) throws {
    expectEqual(try HTTPURL(text).text, expected)
  }

  @Test(arguments: [
    "", "   ", "foo.com", "/path", "//host/path", "?q", "#f", "http:", "http:/", "http://", "https://", "http:///path",
    "http:foo.com", "http:/example.com/", "http://?q", "http://#f", "http://user@/x", "http://:80/", "http://@:80/",
    "http://f:b/c", "http://f: /c", "http://f:fifty-two/c", "http://f:999999/c", "http://f:65536/c", "http://f:-1/",
    "http://f:+80/", "http://f:8 0/", "http://[1::2]:3:4", "http://2001::1", "http://2001::1]", "http://2001::1]:80",
    "http://[::1", "http://[1::2:3", "http://::1]", "http://[]/", "http://[::1%25a<b]/", "http://[www.google.com]/",
    "http://[:80/", "http://a[b/",
    "http://a]b/", "http://a/\u{7F}", "http://[1:2]/",
    "http://a<b", "http://a>b", "http://a^b", "http://a|b/", "http://a b/", "http://a%b/", "http://ho%20st/",
    "http://ho%2Fst/", "http://ho%40st/", "http://ho%00st/", "http://a\\b/", "http://good.com\\@evil.com/",
    "http://a\u{0}b/", "http://a\u{1}b/", "http://a\u{7F}b/", "http://ho\tst/", "http://ho\nst/", "http://host/a\r\nb",
    "ftp://example.com/", "ws://example.com/", "file:///etc/passwd", "data:text/html,x", "javascript:alert(1)",
    "mailto:a@b", "foo://bar", "://host", "1http://host/", "ht tp://host/", "http//host/",
  ])
  func malformedURLsAreRefused(_ text: String) { #expect(throws: HTTPURL.Invalid.self) { try HTTPURL(text) } }

  /// The examples of RFC 3986, section 5.4, with the base `http://a/b/c/d;p?q`.
  private static let references: [(String, String)] = [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
    ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("https://h/x", "https://h/x"), ("HTTPS://H", "https://h/"), ("//h:443/x", "http://h:443/x"),
    ("/:23", "http://a/:23"), ("./:23", "http://a/b/c/:23"), ("/a/ /c", "http://a/a/%20/c"),
    ("/a%2fc", "http://a/a%2fc"), ("??a=b", "http://a/b/c/d;p??a=b"), ("./1:2", "http://a/b/c/1:2"),
    ("//user:secret@g/x", "http://g/x"), ("./[61:24:74]:98", "http://a/b/c/%5B61:24:74%5D:98"),
    (" /g\t", "http://a/g"), ("\u{A0}/g", "http://a/g"), ("/g\u{3000}", "http://a/g"), (" ", "http://a/b/c/d;p?q"),
    // A browser reads a backslash as a slash. The library escapes it, so that the origin can't change.
    ("\\x", "http://a/b/c/%5Cx"), ("\\\\x\\hello", "http://a/b/c/%5C%5Cx%5Chello"),
  ]

  @Test(arguments: references)
  func referencesAreResolvedAgainstABase(_ reference: String, expected: String) throws {
    let base = try HTTPURL("http://a/b/c/d;p?q")
    expectEqual(try base.resolving(reference).text, expected)
  }

  @Test(arguments: [
    "http:g", "http:", "https:g", "http:///x", "//", "///x", "//:80/", "//h:99999/", "http://h:99999/", "g:h",
    "ftp://h/", "data:x", "//a b/", "a\nb", "\u{0}", "//h\\@evil/",
    // A browser accepts a colon in the first segment of a relative path. RFC 3986, section 4.2, doesn't.
    ":23", "1:2", "[61:24:74]:98", "g;x=1:2",
  ])
  func malformedReferencesAreRefused(_ reference: String) throws {
    let base = try HTTPURL("http://a/b/c/d;p?q")
    #expect(throws: HTTPURL.Invalid.self) { try base.resolving(reference) }
  }

  @Test func partsOfAURLAreRead() throws {
    let url = try HTTPURL("HTTPS://user@API.example.com:8443/v1/jokes;x?limit=10&a=b#top")
    let origin = url.origin
    #expect(origin.isSecure && origin.text == "https://api.example.com:8443" && origin.host == "api.example.com")
    #expect(origin.port == 8443 && origin.hostAndPort == "api.example.com:8443")
    #expect(url.path == "/v1/jokes;x" && url.query == "limit=10&a=b" && url.fragment == "top")
    for (text, host, port) in [("http://h", "h", 80), ("https://h", "h", 443), ("http://[::1]:81/", "[::1]", 81)] {
      let origin = try HTTPURL(text).origin
      #expect(origin.host == host && origin.port == port)
    }
    expectEqual(try HTTPURL("http://h/a").query, nil)
    expectEqual(try HTTPURL("http://h/a?").query, "")
    expectEqual(try HTTPURL("http://h/a#b c#d").fragment, "b%20c%23d")
    expectEqual(try HTTPURL("https://h/a").resolving("//g/b").text, "https://g/b")
    expectEqual(try HTTPURL("http://h/a#b"), try HTTPURL("http://h/a"))
    #expect(try HTTPURL("http://h/a") != HTTPURL("http://h/b"))
    expectEqual(try HTTPURL("http://h/a?").appending(path: "b", items: ["c=1"]).text, "http://h/a/b?c=1")
  }

  @Test(arguments: [
    ("http://a/x", "http://A:80/y", true), ("http://a/", "https://a/", false), ("http://a/", "http://a:81/", false),
    ("https://a/", "https://a:443/", true), ("http://a/", "http://b/", false), ("http://ab/", "http://a/b", false),
    ("http://[::1]/", "http://[::1]:80/", true),
  ])
  func originIsSchemeHostAndPort(_ left: String, _ right: String, isSame: Bool) throws {
    expectEqual(try HTTPURL(left).hasSameOrigin(as: HTTPURL(right)), isSame)
  }

  /// Circuits, limits and counts are kept by these names.
  @Test(arguments: [
    ("https://api.example.com/v1/jokes?x=https://other/", "api.example.com"),
    ("http://API.Example.com:8080", "api.example.com:8080"), ("https://user:word@h.example#top", "h.example"),
    ("https://h.example?query@other", "h.example"), ("http://[::1]:8080/a", "[::1]:8080"),
    ("https://api.example.com@evil.example/v1", "evil.example"),
    ("https://api.example.com.evil.example/", "api.example.com.evil.example"),
    ("https://api.example.com:443/", "api.example.com"), ("http://api.example.com:443", "api.example.com:443"),
  ])
  func hostAndPortNameAHost(_ text: String, expected: String) throws {
    expectEqual(try HTTPURL(text).origin.hostAndPort, expected)
  }

  @Test(arguments: [
    ("http://localhost/", true), ("http://LOCALHOST:8080", true), ("http://x.localhost/", true),
    ("http://127.0.0.1/", true),
    ("http://127.255.1.2/", true), ("http://[::1]:80/", true), ("http://127.0.0.1.example.com/", false),
    // A resolver takes these for a name or for octal numbers.
    ("http://127.0.0.08/", false), ("http://127.0.0.+1/", false), ("http://127.0.00.1/", false),
    ("http://127.0.0.1./", false), ("http://127.0.0.256/", false), ("http://128.0.0.1/", false),
    ("http://localhost.example.com/", false), ("http://127.1/", false), ("http://notlocalhost/", false),
  ])
  func loopbackHostsAreKnown(_ text: String, isLoopback: Bool) throws {
    expectEqual(try HTTPURL(text).origin.isLoopback, isLoopback)
  }

  @Test func hostsOfOtherScriptsAreWrittenInASCII() throws {
    let rows = [
      ("http://B\u{DC}cher.example:81/", "http://xn--bcher-kva.example:81"),
      ("http://b%c3%bccher.example/", "http://xn--bcher-kva.example"), ("http://%61.example/", "http://a.example"),
      ("http://a\u{FF0F}b/", nil), ("http://a\u{FF20}b/", nil), ("http://example.com%80/", nil),
    ]
    for (text, origin) in rows { expectEqual((try? HTTPURL(text))?.origin.text, origin) }
  }

  /// Parsing a parsed URL again gives the same URL.
  @Test func parsingAParsedURLChangesNothing() throws {
    let pieces = [
      "http://", "https:", "//", "a.b", "[::1]", ":80", ":", "@", "/", "..", ".", "%2e", "%", "?", "#", "\\", " ",
      "\u{E9}", "x=1", "&",
    ]
    let base = try HTTPURL("https://h/a/b?c")
    var count = 0
    for text in randomTexts(20_000, seed: 7, of: pieces, lengths: 1...9) {
      guard let url = (try? HTTPURL(text)) ?? (try? base.resolving(text)) else { continue }
      count += 1
      let again = try HTTPURL(url.text)
      #expect(again == url, "\(text)")
      #expect(again.hasSameOrigin(as: url) && again.path == url.path && again.query == url.query, "\(text)")
      #expect("\(url.origin.text)\(url.path)\(url.query.map { "?" + $0 } ?? "")" == url.text, "\(text)")
      #expect(URL(string: url.text)?.absoluteString == url.text, "\(text)")
    }
    #expect(count > 1_000)
  }
}
