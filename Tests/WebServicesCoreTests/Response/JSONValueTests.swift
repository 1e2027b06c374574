import WebServicesTestSupport

@Suite struct JSONValueTests {
  private func decode(_ json: String) throws -> JSONValue {
    try FeatherJSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
  }

  @Test func anyValueIsDecoded() throws {
    let json = #"{"a":[null,true,false,0,-7,1.5,1e30,"x","1"],"b":{"c":{}},"d":[]}"#
    let value = try decode(json)
    expectEqual(try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)), value)
    expectEqual(value, ["a": [nil, true, false, 0, -7, 1.5, 1e30, "x", "1"], "b": ["c": [:]], "d": []])
    expectEqual(value["a"]?[5]?.number, 1.5)
    expectEqual(value["a"]?[3]?.number, 0)
    expectEqual(value["a"]?[1]?.bool, true)
    expectEqual(value["a"]?[-1], nil)
    expectEqual(value["x"], nil)
    expectEqual(value[0], nil)
  }

  @Test func wholeNumbersAreReadInAnyNotation() throws {
    expectEqual(try decode("1.0"), 1)
    expectEqual(JSONValue(floatLiteral: 2.0), 2)
    expectEqual(JSONValue(floatLiteral: 0x1p53), .number(0x1p53))
    expectEqual(try decode("9223372036854775807"), .integer(.max))
    expectEqual(try decode("18446744073709551615").number, 18_446_744_073_709_551_616)
  }

  @Test(
    arguments: [
      ("-9223372036854775808", .integer(.min)), ("-9223372036854775809", .number(-0x1p63)),
      ("-9223372036854775810", .number(-0x1p63)), ("9223372036854775808", .number(0x1p63)),
      ("-9.223372036854775809e18", .number(-0x1p63)), ("9223372036854775807.0", .number(0x1p63)),
      ("9007199254740993.0", .integer(9_007_199_254_740_993)), ("1e18", .integer(1_000_000_000_000_000_000)),
      ("1e19", .number(1e19)), ("-18446744073709551616", .number(-0x1p64)),
    ] as [(String, JSONValue)])
  func integersBeyondInt64BecomeNumbers(json: String, expected: JSONValue) throws {
    expectEqual(try decode(json), expected)
    expectEqual(try decode("[{\"a\":\(json)}]")[0]?["a"], expected)
  }

  @Test(arguments: [
    ("1e9999", "Double"), ("-1e9999", "Double"), (#""\ud800""#, "Unicode"), (#""\udc00x""#, "Unicode"),
    (#""\ud800\u0041""#, "Unicode"),
  ])
  func wrongScalarIsNamedWithItsPlace(json: String, word: String) throws {
    for (document, path) in [(json, []), ("[\(json)]", ["[0]"]), ("{\"a\":[1,\(json)]}", ["a", "[1]"])] {
      let error = #expect(throws: DecodingError.self) { try decode(document) }
      guard case .dataCorrupted = error else {
        Issue.record("\(document): \(String(describing: error))")
        continue
      }
      let facts = error.map(DecodingErrorFacts.init)
      expectEqual(facts?.explanation.contains(word), true)
      expectEqual(facts?.pathInWords, path)
    }
  }

  @Test func valueRoundTrips() throws {
    let value: JSONValue = ["a": [1, 2.5, "x", nil, true], "b": ["c": []], "d": [:]]
    #expect(value.object?.keys.sorted() == ["a", "b", "d"] && value.array == nil)
    #expect(value["a"]?.array?.count == 5 && value["a"]?.object == nil)
    let data = try JSONEncoder().encode(value)
    expectEqual(try JSONDecoder().decode(JSONValue.self, from: data), value)
  }

  @Test func depthLimitIsExact() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try decode(nested(JSONValue.maximumDepth))
    #expect(throws: DecodingError.self) { try decode(nested(JSONValue.maximumDepth + 1)) }
    for (json, isDeep) in [("{\"a\":\(nested(127))}", false), ("{\"a\":\(nested(128))}", true)] {
      expectEqual((try? decode(json)) == nil, isDeep)
      expectEqual((try? FeatherJSONDecoder().decode([String: JSONValue].self, from: Data(json.utf8))) == nil, isDeep)
    }
    for depth in [JSONValue.maximumDepth + 1, 500] {
      let data = Data(nested(depth).utf8)
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: data) }
    }
    #expect(throws: DecodingError.self) { try decode(nested(500)) }
    #expect(throws: DecodingError.self) { try decode(nested(100_000)) }
  }

  @Test func namesOfMembersStayAsTheyAre() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = Data(#"{"a_b":{"c_d":[{"e_f":1}]}}"#.utf8)
    expectEqual(try decoder.decode(JSONValue.self, from: json), ["a_b": ["c_d": [["e_f": 1]]]])
    expectEqual(try FeatherJSONDecoder(decoder).decode(JSONValue.self, from: json), ["a_b": ["c_d": [["e_f": 1]]]])
  }

  @Test func firstDuplicateNameOfALiteralCounts() {
    let value: JSONValue = ["a": 1, "a": 2]
    expectEqual(value, ["a": 1])
  }
}
