import WebServicesTestSupport

@Suite struct MediaTypeTests {
  @Test func parametersAreParsed() throws {
    let text = #"Text/HTML ; Charset="utf-8" ;q=1; title="a \"b\"; c"; a=; a=1; b=""; c; q=2; @=3"#
    let type = try #require(HTTPHeaders.MediaType(text))
    expectEqual(type.essence, "text/html")
    expectEqual(type.charset, "utf-8")
    expectEqual(type.parameters["q"], "1")
    #expect(type.parameters["a"] == "1" && type.parameters["b"] == "" && type.parameters.count == 5)
    expectEqual(type.parameters["title"], #"a "b"; c"#)
  }

  @Test func mediaTypeRoundTrips() throws {
    let type = HTTPHeaders.MediaType(
      type: "text", subtype: "plain", parameters: ["Charset": "utf-8", "title": #"a;"b"\c"#])
    expectEqual(HTTPHeaders.MediaType(type.description), type)
    expectEqual(type.description, #"text/plain; charset=utf-8; title="a;\"b\"\\c""#)
    // A quote and a combining mark make one `Character`.
    let marked = HTTPHeaders.MediaType(type: "text", subtype: "plain", parameters: ["title": "a\"\u{301};\\\u{301}"])
    expectEqual(HTTPHeaders.MediaType(marked.description), marked)
  }

  @Test func onlyWellFormedTypesAreRead() {
    let rows: [(String, isJSON: Bool?)] = [
      ("application/json", true), ("application/problem+json; a=b", true), ("text/json", true), ("text/html", false),
      ("", nil), ("text", nil), ("text/", nil), ("/html", nil), ("text/html/x", nil), ("te xt/html", nil),
      (";charset=utf-8", nil), ("text html", nil),
    ]
    for (text, isJSON) in rows { expectEqual(HTTPHeaders.MediaType(text)?.isJSON, isJSON) }
  }

  @Test func rangesAreMatched() {
    let json = HTTPHeaders.MediaType(type: "application", subtype: "json", parameters: ["charset": "utf-8"])
    for (range, matches) in [("*/*", true), ("application/*", true), ("text/*", false)] {
      expectEqual(HTTPHeaders.MediaType(range)?.matches(json), matches)
    }
  }
}
