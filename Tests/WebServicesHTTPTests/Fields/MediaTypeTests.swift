import WebServicesTestSupport

@Suite struct MediaTypeTests {
  @Test func parametersAreParsed() throws {
    let type = try #require(HTTPHeaders.MediaType(#"Text/HTML ; Charset="utf-8" ;q=1; title="a \"b\"; c""#))
    expectEqual(type.essence, "text/html")
    expectEqual(type.charset, "utf-8")
    expectEqual(type.parameters["q"], "1")
    expectEqual(type.parameters["title"], #"a "b"; c"#)
  }

  @Test func mediaTypeRoundTrips() throws {
    let type = HTTPHeaders.MediaType(
      type: "text", subtype: "plain", parameters: ["charset": "utf-8", "title": #"a;"b"\c"#])
    expectEqual(HTTPHeaders.MediaType(type.description), type)
    // A quote and a combining mark make one `Character`.
    let marked = HTTPHeaders.MediaType(type: "text", subtype: "plain", parameters: ["title": "a\"\u{301};\\\u{301}"])
    expectEqual(HTTPHeaders.MediaType(marked.description), marked)
    expectEqual(
      HTTPHeaders.MediaType(type: "text", subtype: "plain", parameters: ["charset": "utf-8"]).description,
      "text/plain; charset=utf-8")
  }

  @Test(
    arguments: ["application/json", "application/problem+json; a=b", "text/json"])
  func jsonIsRecognized(text: String) throws {
    #expect(try #require(HTTPHeaders.MediaType(text)).isJSON)
  }

  @Test(
    arguments: ["", "text", "text/", "/html", "text/html/x", "te xt/html", ";charset=utf-8", "text html"])
  func malformedMediaTypesAreRefused(text: String) {
    expectEqual(HTTPHeaders.MediaType(text), nil)
  }

  @Test func rangesAreMatched() throws {
    let json = HTTPHeaders.MediaType(type: "application", subtype: "json", parameters: ["charset": "utf-8"])
    #expect(try #require(HTTPHeaders.MediaType("*/*")).matches(json))
    #expect(try #require(HTTPHeaders.MediaType("application/*")).matches(json))
    #expect(!(try #require(HTTPHeaders.MediaType("text/*")).matches(json)))
  }
}
