import Foundation
import Testing

import WebServices
@testable import WebServicesJSON
@testable import WebServicesCore

@Suite struct ProblemDetailsTests {
  private func problem(
    _ json: String, contentType: String? = "application/problem+json"
  ) throws -> ProblemDetails? {
    let url = try #require(URL(string: "https://api.example.com/account"))
    var headers = HTTPHeaders()
    headers["Content-Type"] = contentType
    return ProblemDetails(
      response: WebServiceResponse(statusCode: 403, headers: headers, url: url, body: Data(json.utf8)))
  }

  @Test func extensionsAreRead() throws {
    let problem = try #require(
      try problem(
        """
        {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
         "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc",
         "balance": 30, "accounts": ["/account/12345", "/account/67890"]}
        """))
    #expect(
      problem
        == ProblemDetails(
          type: "https://example.com/probs/out-of-credit", title: "You do not have enough credit.",
          detail: "Your current balance is 30, but that costs 50.", instance: "/account/12345/msgs/abc",
          extensions: ["balance": 30, "accounts": ["/account/12345", "/account/67890"]]))
    #expect(problem["balance"]?.integer == 30)
    #expect(problem.localizedDescription == "Your current balance is 30, but that costs 50.")
    #expect(problem.failureReason == "You do not have enough credit.")
    #expect(problem.description.hasSuffix("instance /account/12345/msgs/abc, with accounts, balance"))
  }

  @Test func nestedExtensionsAreRead() throws {
    let problem = try #require(
      try problem(
        """
        {"type": "https://example.net/validation-error", "title": "Your request is not valid.", "status": 422,
         "errors": [{"detail": "must be a positive integer", "pointer": "#/age"}]}
        """))
    #expect(problem.status == 422)
    #expect(problem["errors"]?[0]?["pointer"]?.string == "#/age")
    #expect(problem["errors"]?[1] == nil)
  }

  @Test func missingTypeIsAboutBlank() throws {
    #expect(try problem("{}") == ProblemDetails())
    #expect(ProblemDetails().description == "problem: no details")
    #expect(ProblemDetails(title: "Gone").errorDescription == "Gone")
  }

  @Test func membersOfWrongTypeAreIgnored() throws {
    #expect(
      try problem(#"{"type":1,"title":[],"status":"403","detail":{},"instance":true,"x":null}"#)
        == ProblemDetails(extensions: ["x": .null]))
    for status in ["99", "600", "-1", "1e30", "403.5", "null"] {
      #expect(try problem("{\"status\":\(status),\"title\":\"t\"}") == ProblemDetails(title: "t"))
    }
  }

  @Test func onlyProblemMediaTypeIsRead() throws {
    #expect(try problem("{}", contentType: "application/problem+json; charset=utf-8") != nil)
    #expect(try problem("{}", contentType: "Application/Problem+JSON") != nil)
    for other in ["application/json", "application/problem+xml", "text/html", "", nil] {
      #expect(try problem("{}", contentType: other) == nil)
    }
    for body in ["", "[]", "1", "null", "{", "{\"title\":\"x\"", "\"x\""] {
      #expect(try problem(body) == nil)
    }
  }

  @Test func tooDeepMembersAreLeftOut() throws {
    for depth in [200, 500] {
      let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect(try problem("{\"title\":\"t\",\"x\":\(deep)}") == ProblemDetails(title: "t"))
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(try problem("{\"x\":\(deep)") == nil)
  }

  @Test func descriptionsHideSecrets() {
    let problem = ProblemDetails(
      type: "https://u:abc@h/p?token=abc", title: "bad password=abc", detail: #"{"token":"abc"}"#,
      extensions: ["token": "abc"])
    #expect(!problem.description.contains("abc"))
    #expect(problem.description.contains("with token"))
  }
}

@Suite struct JSONValueTests {
  private func decode(_ json: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
  }

  @Test func anyValueIsDecoded() throws {
    let value = try decode(#"{"a":[null,true,false,0,-7,1.5,1e30,"x","1"],"b":{"c":{}},"d":[]}"#)
    #expect(
      value == [
        "a": [nil, true, false, 0, -7, 1.5, 1e30, "x", "1"], "b": ["c": [:]], "d": [],
      ])
    #expect(value["a"]?[5]?.number == 1.5)
    #expect(value["a"]?[3]?.number == 0)
    #expect(value["a"]?[1]?.bool == true)
    #expect(value["a"]?[-1] == nil)
    #expect(value["x"] == nil)
    #expect(value[0] == nil)
  }

  @Test func wholeNumbersAreReadInAnyNotation() throws {
    #expect(try decode("1.0") == 1)
    #expect(JSONValue(floatLiteral: 2.0) == 2)
    #expect(try decode("9223372036854775807") == .integer(.max))
    #expect(try decode("18446744073709551615").number == 18_446_744_073_709_551_616)
  }

  @Test(
    arguments: [
      ("-9223372036854775808", .integer(.min)), ("-9223372036854775809", .number(-0x1p63)),
      ("-9223372036854775810", .number(-0x1p63)), ("9223372036854775808", .number(0x1p63)),
      ("-9.223372036854775809e18", .number(-0x1p63)), ("9223372036854775807.0", .integer(.max)),
      ("9007199254740993.0", .integer(9_007_199_254_740_993)), ("1e18", .integer(1_000_000_000_000_000_000)),
      ("1e19", .number(1e19)), ("-18446744073709551616", .number(-0x1p64)),
    ] as [(String, JSONValue)])
  func integersBeyondInt64BecomeNumbers(json: String, expected: JSONValue) throws {
    #expect(try decode(json) == expected)
    #expect(try decode("[{\"a\":\(json)}]")[0]?["a"] == expected)
  }

  @Test(
    arguments: [
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
      #expect(error?.explanation.contains(word) == true)
      #expect(error?.codingPathInWords == path)
    }
  }

  @Test func valueRoundTrips() throws {
    let value: JSONValue = ["a": [1, 2.5, "x", nil, true], "b": ["c": []], "d": [:]]
    #expect(value.object?.keys.sorted() == ["a", "b", "d"] && value.array == nil)
    #expect(value["a"]?.array?.count == 5 && value["a"]?.object == nil)
    let data = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
  }

  @Test func depthLimitIsExact() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try decode(nested(JSONValue.maximumDepth))
    #expect(throws: DecodingError.self) { try decode(nested(JSONValue.maximumDepth + 1)) }
    #expect(throws: DecodingError.self) { try decode(nested(500)) }
    #expect(throws: DecodingError.self) { try decode(nested(100_000)) }
  }

  @Test func firstDuplicateNameOfALiteralCounts() {
    let value: JSONValue = ["a": 1, "a": 2]
    #expect(value == ["a": 1])
  }
}
