import WebServicesTestSupport

@Suite struct HTTPHeadersTests {
  @Test func namesAreComparedWithoutCase() {
    var headers: HTTPHeaders = ["Content-Type": "text/plain"]
    expectEqual(headers["content-type"], "text/plain")
    headers["CONTENT-TYPE"] = "text/html"
    expectEqual(Array(headers), [.init(name: "Content-Type", value: "text/html")])
    headers["content-Type"] = nil
    #expect(headers.isEmpty)
    // Only ASCII letters have no case.
    headers["k"] = "1"
    #expect(headers["\u{212A}"] == nil && headers["K"] == "1")
  }

  /// Swift's `==` takes both forms of `é` for the same.
  @Test func fieldsAreComparedByTheirBytes() {
    #expect(HTTPHeaders(["X": "e\u{301}"]) != ["X": "\u{E9}"])
    #expect(HTTPHeaders(["X": "a\u{301}\u{323}"]) != ["X": "a\u{323}\u{301}"])
    #expect(HTTPHeaders(["e\u{301}": ""]) != ["\u{E9}": ""])
    #expect(HTTPHeaders(["X": "e\u{301}"]) == ["X": "e\u{301}"])
  }

  @Test func repeatedFieldsStayApart() {
    var headers: HTTPHeaders = ["Set-Cookie": "a=1", "X": "0", "set-cookie": "b=2"]
    expectEqual(headers.values(for: "SET-COOKIE"), ["a=1", "b=2"])
    headers.add(name: "Set-Cookie", value: "c=3")
    expectEqual(headers.values(for: "Set-Cookie").count, 3)
    headers["Set-Cookie"] = "d=4"
    expectEqual(headers.map(\.value), ["d=4", "0"])
  }

  @Test func mergeReplacesCommonFields() {
    var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
    headers.merge(["a": "4", "A": "5", "C": "6"])
    headers.attach(HTTPHeaders(dictionaryLiteral: ("b", "7"), ("B", "8")).fields)
    expectEqual(headers.map { "\($0.name)=\($0.value)" }, ["a=4", "A=5", "C=6", "b=7", "B=8"])
  }

  @Test(arguments: [1, 16, 17, 100])
  func anyNumberOfNamesIsMergedWithoutCase(count: Int) {
    var headers = HTTPHeaders((0..<count).map { .init(name: "Name-\($0)", value: "1") })
    headers.add(name: "\u{212A}", value: "kept")
    headers.merge(HTTPHeaders((0..<count).map { .init(name: $0 == 0 ? "K" : "nAME-\($0)", value: "2") }))
    expectEqual(headers.map(\.value), ["1", "kept"] + Array(repeating: "2", count: count))
    headers.remove((0..<count).map { "NAME-\($0)" })
    expectEqual(headers.map(\.name), ["\u{212A}", "K"])
  }
}
