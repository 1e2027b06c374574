@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.leavesNothing) struct PathSegmentTests {
  private func url(_ path: String) throws -> String {
    try RequestURL.make(path: path, base: RequestURL.base(URL(string: "https://h/v1")), queryItems: []).text
  }

  @Test(arguments: [
    ("Ada", "Ada"), ("a b", "a%20b"), ("a/b", "a%2Fb"), ("a?b#c", "a%3Fb%23c"), ("a%2Fb", "a%252Fb"), ("ü", "%C3%BC"),
    ("...", "..."), ("..a", "..a"), (";v=1", "%3Bv%3D1"), ("\r\n", "%0D%0A"), ("\0", "%00"), ("%2e%2e", "%252e%252e"),
    ("a+b&c", "a%2Bb%26c"), ("http://x", "http%3A%2F%2Fx"), (#"a\b"#, "a%5Cb"),
  ])
  func valuesAreEscapedOnce(value: String, expected: String) throws {
    expectEqual(try url("users/\(segment: value)/posts"), "https://h/v1/users/\(expected)/posts")
    expectEqual(try url("\(segment: value)"), "https://h/v1/\(expected)")
    expectEqual(try url("users/x-\(segment: value).json"), "https://h/v1/users/x-\(expected).json")
  }

  @Test func anyDescribableValueIsASegment() throws {
    let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    expectEqual(try url("a/\(segment: 7)/\(segment: "xyz".dropLast())"), "https://h/v1/a/7/xy")
    expectEqual(try url("\(segment: id)"), "https://h/v1/01020304-0506-0708-090A-0B0C0D0E0F10")
  }

  @Test(arguments: ["", ".", "..", "../admin", "a/../b", "a/..", "./a", #"..\admin"#, "//.."])
  func segmentThatChangesThePathIsRefused(value: String) {
    for path in ["users/\(segment: value)/posts", "users/x\(segment: value)", "\(segment: value)"] {
      for text in [path, "https://other/\(path)"] {
        let error = #expect(throws: HTTPURL.Invalid.self) { try url(text) }
        expectEqual(error?.reason.hasPrefix("a path parameter is empty"), true)
      }
    }
  }

  @Test(arguments: [
    ("a/b", "a/b"), ("a b/c?d", "a%20b/c%3Fd"), ("a", "a"), ("a/", "a/"), ("ü/%2F/...", "%C3%BC/%252F/..."),
    // A slash and a combining mark make one `Character`.
    ("a/\u{301}b", "a/%CC%81b"),
  ])
  func segmentsKeepTheirSlashes(value: String, expected: String) throws {
    expectEqual(try url("files/\(segments: value)"), "https://h/v1/files/\(expected)")
  }

  @Test(arguments: ["", "/", "/a", "a//b", "a/../b", "a/.", "..", #"a/..\b"#, "a//"])
  func segmentsThatChangeThePathAreRefused(value: String) {
    #expect(throws: HTTPURL.Invalid.self) { try url("files/\(segments: value)") }
  }

  @Test func piecesCannotFormADotSegment() {
    #expect(throws: HTTPURL.Invalid.self) { try url("a/.\(segment: "%2e".removingPercentEncoding ?? "")/b") }
    #expect(throws: HTTPURL.Invalid.self) { try url("a/%2e\(segment: ".")/b") }
  }
}
