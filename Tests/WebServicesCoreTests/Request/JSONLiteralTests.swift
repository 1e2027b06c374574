import WebServicesTestSupport

/// JSON that is written in the code.
struct JSONLiteralTests {
  private func text(
    _ body: RequestBody, formatting: JSONEncoder.OutputFormatting = .withoutEscapingSlashes
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    encoder.dateEncodingStrategy = .iso8601
    encoder.keyEncodingStrategy = .convertToSnakeCase
    var configuration = WebServiceConfiguration()
    configuration.encoder = encoder
    guard case .data(let data) = try body.content(configuration) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  @Test func objectsKeepTheirOrderAndNest() throws {
    let (name, nick, missing) = ("Ada \"A\"", Optional("A/a"), String?.none)
    let body: RequestBody = [
      "zip": 1, "name": name, "nick": nick, "missing": missing, "nothing": nil, "isIn": true, "size": 1.5,
      "address": [
        "street": "Über 1", "floor": nil, "tags": ["old", 7, nil, ["x": 1, "a": "b"] as JSONLiteral] as JSONLiteral,
      ]
        as JSONLiteral, "list": [1, 2], "a\n": [:] as JSONLiteral, "none": [] as JSONLiteral,
    ]
    expectEqual(
      try text(body),
      #"{"zip":1,"name":"Ada \"A\"","nick":"A/a","missing":null,"nothing":null,"isIn":true,"size":1.5,"#
        + #""address":{"street":"Über 1","floor":null,"tags":["old",7,null,{"x":1,"a":"b"}]},"list":[1,2],"a\n":{},"none":[]}"#
    )
  }

  @Test func arraysTakeValuesOfAnyType() throws {
    expectEqual(try text([1, "b", nil, [1, "c"] as JSONLiteral]), #"[1,"b",null,[1,"c"]]"#)
    expectEqual(try text(.json(["b": 1, "a": nil] as JSONLiteral)), #"{"b":1,"a":null}"#)
    let literals: [JSONLiteral] = [[1, "b", nil], ["a": 1]]
    let encoded = try JSONEncoder().encode(literals)
    expectEqual(String(decoding: encoded, as: UTF8.self), #"[[1,"b",null],{"a":1}]"#)
  }

  @Test func lastValueOfARepeatedNameIsSent() throws {
    expectEqual(try text(["a": 1, "b": 2, "a": 3]), #"{"b":2,"a":3}"#)
  }

  @Test func configuredEncoderWritesTheValues() throws {
    let body: RequestBody = ["bB": 1, "a": ["d": nil, "c": "x"] as JSONLiteral]
    expectEqual(try text(body, formatting: .sortedKeys), #"{"a":{"c":"x","d":null},"bB":1}"#)
    #expect(try text(body, formatting: [.prettyPrinted, .sortedKeys]).contains("\n    \"c\" : \"x\""))
    let dates: RequestBody = ["at": Date(timeIntervalSince1970: 0), "in": ["z": Date(timeIntervalSince1970: 1)]]
    expectEqual(try text(dates), #"{"at":"1970-01-01T00:00:00Z","in":{"z":"1970-01-01T00:00:01Z"}}"#)
  }

  @Test func valueThatCannotBeEncodedFailsTheRequest() {
    #expect(throws: EncodingError.self) { try text(["a": ["b": Double.nan, "c": 1] as JSONLiteral]) }
  }
}
