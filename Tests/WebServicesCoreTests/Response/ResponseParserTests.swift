@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct ResponseParserTests {
  private struct Broken: Error {}

  private func response(_ body: String, status: Int = 200, headers: HTTPHeaders = [:]) -> WebServiceResponse {
    WebServiceResponse(statusCode: status, headers: headers, url: URL(fileURLWithPath: "/"), body: Data(body.utf8))
  }

  @Test func jsonUsesTheCommonOrOwnDecoder() throws {
    let parser = ResponseParser.json(City.self)
    expectEqual(parser.accept, "application/json")
    expectEqual(try parser.parse(response(#"{"name": "Bath"}"#)), City(name: "Bath"))
    #expect(throws: DecodingError.self) { try parser.parse(response("")) }
    #expect(throws: DecodingError.self) { try parser.parse(response(#"{"nome": "Bath"}"#)) }
    struct Person: Decodable, Sendable { var firstName: String }
    let snake = JSONDecoder()
    snake.keyDecodingStrategy = .convertFromSnakeCase
    let person = response(#"{"first_name": "Ada"}"#)
    expectEqual(try ResponseParser.json(Person.self).parse(person, decoder: snake).firstName, "Ada")
    expectEqual(try ResponseParser.json(Person.self, decoder: snake).parse(person).firstName, "Ada")
    #expect(throws: DecodingError.self) {
      try ResponseParser.json(Person.self, decoder: JSONDecoder()).parse(person, decoder: snake)
    }
  }

  @Test func dataNothingAndResponseParsersReadTheBody() throws {
    let response = response("bytes", status: 201)
    expectEqual(try ResponseParser.data.parse(response), Data("bytes".utf8))
    try ResponseParser.nothing.parse(response)
    expectEqual(try ResponseParser.response.parse(response).statusCode, 201)
    expectEqual(ResponseParser.data.accept, "*/*")
  }

  @Test func latestMappingForAStatusWins() throws {
    let parser = ResponseParser.json(City.self)
      .mapping([404, 410], to: City(name: "nowhere"))
      .mapping([404], with: ResponseParser { City(name: "status \($0.statusCode)") })
    expectEqual(try parser.parse(response(#"{"name": "Bath"}"#)), City(name: "Bath"))
    expectEqual(try parser.parse(response("no json", status: 410)), City(name: "nowhere"))
    expectEqual(try parser.parse(response("no json", status: 404)), City(name: "status 404"))
    expectEqual(parser.accept, "application/json")
  }

  @Test func mappingWithAParserOfTheMainActorRunsThere() {
    let main = ResponseParser(accept: "a/b", isOfMainActor: true, parse: { _, _, _ in 1 })
    let plain = ResponseParser { _ in 2 }
    let parsers = [
      main.mapping([404], with: plain), plain.mapping([404], with: main), plain.mapping([404], with: plain),
    ]
    expectEqual(parsers.map(\.isOfMainActor), [true, true, false])
  }

  @Test func missingBodyIsNil() throws {
    let parser = ResponseParser.json(City.self).optional(on: 404, 410)
    expectEqual(try parser.parse(response("")), nil)
    expectEqual(try parser.parse(response("no json", status: 404)), nil)
    expectEqual(try parser.parse(response("no json", status: 410)), nil)
    expectEqual(try parser.parse(response(#"{"name": "Bath"}"#)), City(name: "Bath"))
    #expect(throws: DecodingError.self) { try parser.parse(response("no json")) }
    let mapped = ResponseParser.json(City.self).mapping([409], to: City(name: "conflict")).optional()
    expectEqual(try mapped.parse(response("", status: 409)), City(name: "conflict"))
    expectEqual(try mapped.parse(response("")), nil)
    let accepted = ResponseParser.json(City.self).accepting(409).optional()
    expectEqual(try accepted.parse(response("", status: 409)), nil)
    let both = ResponseParser.json(City.self).mapping([409], to: City(name: "conflict")).accepting(409).optional()
    expectEqual(try both.parse(response("", status: 409)), City(name: "conflict"))
  }

  @Test func jsonOfAnOptionalTypeNeedsNoBody() throws {
    expectEqual(try ResponseParser.json(City?.self).parse(response("")), nil)
    expectEqual(try ResponseParser.json(City?.self, decoder: JSONDecoder()).parse(response("")), nil)
    expectEqual(try ResponseParser.json(City?.self).parse(response(#"{"name": "Bath"}"#)), City(name: "Bath"))
    #expect(throws: DecodingError.self) { try ResponseParser.json(City.self).parse(response("")) }
  }

  @Test func mapAppliesToMappedStatuses() throws {
    let parser = ResponseParser.json(City.self).mapping([404], to: City(name: "none")).map { $0.name.count }
    expectEqual(try parser.parse(response(#"{"name": "Bath"}"#)), 4)
    expectEqual(try parser.parse(response("", status: 404)), 4)
    let failing = ResponseParser.data.map { (_: Data) -> Int in throw Broken() }
    #expect(throws: Broken.self) { try failing.parse(response("")) }
    let optional = ResponseParser.json(City.self).optional(on: 404).map { $0 == nil }
    #expect(try optional.parse(response("", status: 404)))
  }

  @Test func withResponseAddsTheResponseToTheValue() throws {
    let parser = ResponseParser.json(City.self).mapping([404], to: City(name: "none")).withResponse
    let found = try parser.parse(response(#"{"name": "Bath"}"#, headers: ["ETag": "\"1\""]))
    expectEqual(found.value, City(name: "Bath"))
    expectEqual(found.response.headers["ETag"], "\"1\"")
    expectEqual(try parser.parse(response("", status: 404)).response.statusCode, 404)
  }

  @Test func closureMakesTheValue() throws {
    let lines = ResponseParser(accept: "text/plain") { response in
      String(decoding: response.body, as: UTF8.self).split(separator: "\n").count
    }
    expectEqual(lines.accept, "text/plain")
    expectEqual(try lines.parse(response("a\nb\nc")), 3)
    #expect(throws: Broken.self) { try ResponseParser<Int> { _ in throw Broken() }.parse(response("")) }
  }
}
