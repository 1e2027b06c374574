import WebServicesTestSupport

@Suite struct MediaTypeTests {
  @Test func parametersAreParsed() throws {
    let type = try #require(MediaType(#"Text/HTML ; Charset="utf-8" ;q=1; title="a \"b\"; c""#))
    expectEqual(type.essence, "text/html")
    expectEqual(type.charset, "utf-8")
    expectEqual(type.parameters["q"], "1")
    expectEqual(type.parameters["title"], #"a "b"; c"#)
  }

  @Test func mediaTypeRoundTrips() throws {
    let type = MediaType(type: "text", subtype: "plain", parameters: ["charset": "utf-8", "title": #"a;"b"\c"#])
    expectEqual(MediaType(type.description), type)
    expectEqual(
      MediaType(type: "text", subtype: "plain", parameters: ["charset": "utf-8"]).description,
      "text/plain; charset=utf-8")
  }

  @Test(
    arguments: ["application/json", "application/problem+json; a=b", "text/json"])
  func jsonIsRecognized(text: String) throws {
    #expect(try #require(MediaType(text)).isJSON)
  }

  @Test(
    arguments: ["", "text", "text/", "/html", "text/html/x", "te xt/html", ";charset=utf-8", "text html"])
  func malformedMediaTypesAreRefused(text: String) {
    #expect(MediaType(text) == nil)
  }

  @Test func rangesAreMatched() throws {
    let json = MediaType(type: "application", subtype: "json", parameters: ["charset": "utf-8"])
    #expect(try #require(MediaType("*/*")).matches(json))
    #expect(try #require(MediaType("application/*")).matches(json))
    #expect(!(try #require(MediaType("text/*")).matches(json)))
  }
}
