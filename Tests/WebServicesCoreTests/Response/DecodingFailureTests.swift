@testable import WebServicesTestSupport

@Suite struct DecodingFailureTests {
  private struct Jokes: Decodable {
    struct Joke: Decodable {
      var id: Int
      var joke: String
      var date: Date?
      var small: UInt8?
      var tags: [String]?
      var author: [String: String]?
    }
    var value: [Joke]
  }

  private func failure<Model: Decodable>(
    _ json: String, as type: Model.Type = Jokes.self, decoder: JSONDecoder = JSONDecoder()
  ) throws -> DecodingFailure { try failure(in: Data(json.utf8), as: type, decoder: decoder) }

  private func failure<Model: Decodable>(
    in data: Data, as type: Model.Type = Jokes.self, decoder: JSONDecoder = JSONDecoder()
  ) throws -> DecodingFailure {
    do {
      _ = try decoder.decode(type, from: data)
    } catch let error as DecodingError {
      return DecodingFailure(error, in: data)
    }
    throw CancellationError()
  }

  private func jokes(_ last: String) -> String { "{\"value\":[{\"id\":1,\"joke\":\"a\"},\n  \(last)]}" }

  @Test(arguments: [
    (#"{"id":2,"joke":12}"#, "value[1].joke", "a string", "the number 12"),
    (#"{"id":"2","joke":"b"}"#, "value[1].id", "a whole number (Int)", "the string \"2\""),
    (#"{"id":2,"joke":null}"#, "value[1].joke", "a string", "null"),
    (#"{"id":2,"joke":true}"#, "value[1].joke", "a string", "true"),
    (#"{"id":2,"joke":[1,[2],{}]}"#, "value[1].joke", "a string", "an array with 3 elements"),
    (#"{"id":2,"joke":{"x":1}}"#, "value[1].joke", "a string", "an object with 1 member"),
    (#"{"id":2,"text":"b"}"#, "value[1]", "the key \"joke\"", "an object with the keys \"id\", \"text\""),
    ("{}", "value[1]", "the key \"id\"", "an object without members"),
    ("7", "value[1]", "an object", "the number 7"),
    (#"{"id":2,"joke":"b","tags":{}}"#, "value[1].tags", "an array", "an object with 0 members"),
    (#"{"id":2,"joke":"b","tags":["x",3]}"#, "value[1].tags[1]", "a string", "the number 3"),
    (#"{"id":2,"joke":"b","author":{"na me":3}}"#, "value[1].author.na me", "a string", "the number 3"),
  ])
  func mismatchNamesPathExpectedAndActual(last: String, path: String, expected: String, found: String) throws {
    let failure = try failure(jokes(last))
    expectEqual(failure.codingPath, path)
    expectEqual(failure.expected, expected)
    expectEqual(failure.found, found)
    expectEqual(failure.line, 2)
    #expect(failure.description.hasPrefix("at \(path): expected \(expected), found \(found); line 2, column "))
    #expect(failure.excerpt.contains(last))
  }

  @Test func corruptValueIsShownWithTheReason() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let numbers = ["300", "-1", "1.5", "1e99", "123456789012345678901234"]
    for member in numbers.map({ "\"small\":\($0)" }) + [#""date":"yesterday""#] {
      let failure = try failure(jokes("{\"id\":2,\"joke\":\"b\",\(member)}"), decoder: decoder)
      // Foundation names the member, the object or nothing, depending on the system.
      #expect(failure.codingPath.isEmpty || failure.codingPath.hasPrefix("value[1]"))
      expectEqual(failure.expected, nil)
      #expect(!failure.explanation.isEmpty && !failure.explanation.contains("valid JSON"))
      #expect(failure.description.contains(failure.explanation))
      #expect(failure.found?.hasPrefix("an object") != true)
    }
    let url = try failure(#"{"a":"http://[x"}"#, as: [String: URL].self)
    expectEqual(url.codingPath, "a")
    expectEqual(url.found, "the string \"http://[x\"")
  }

  @Test func containersHaveWords() {
    for (type, words) in [
      (Set<Int>.self, "an array"), ((any UnkeyedDecodingContainer).self, "an array"),
      (KeyedDecodingContainer<JSONKey>.self, "an object"),
      ((Int?????????).self, "a value for \("\((Int?????????).self)".prefix(64))…"),
    ] as [(Any.Type, String)] {
      let context = DecodingError.Context(codingPath: [], debugDescription: "")
      expectEqual(DecodingFailure(.valueNotFound(type, context), in: Data("[]".utf8)).expected, words)
    }
  }

  @Test func emptyPathMeansTheWholeDocument() throws {
    let array = try failure("[]").description
    expectEqual(
      array, "at the top level: expected an object, found an array with 0 elements; line 1, column 1, near []")
    let object = try failure("{\"v\":1}").description
    #expect(object.hasPrefix("at the top level: expected the key \"value\", found an object with the key \"v\";"))
  }

  @Test(arguments: [
    ("{\"value\":\n [1,\r\n  x]}", "an unexpected \"x\"", 3, 3), ("<html>", "an unexpected \"<\"", 1, 1),
    ("{\"value\":[", "the end of the document", 1, 11), ("", "nothing", 1, 1), (" \n", "nothing", 2, 1),
    ("[\"é\u{1F30D}\" x]", "an unexpected \"x\"", 1, 7), ("\r\r[1,}", "an unexpected \"}\"", 3, 4),
    ("[\"a\tb\"]", "an invalid character or escape sequence in a string", 1, 4),
    ("[1}", "an unexpected \"}\"", 1, 3), ("[\u{1}]", "an unexpected byte 0x1", 1, 2),
    ("[\u{7F}]", "an unexpected byte 0x7F", 1, 2), ("[é]", "an unexpected \"é\"", 1, 2),
    ("[1,\r", "the end of the document", 2, 1),
  ])
  func corruptDocumentHasLineAndColumn(json: String, found: String, line: Int, column: Int) throws {
    let failure = try failure(json, as: [String].self)
    #expect(failure.codingPath.isEmpty)
    expectEqual(failure.expected, "JSON")
    #expect(!failure.explanation.hasPrefix("it is JSON"))
    expectEqual(failure.found, found)
    expectEqual(failure.line, line)
    expectEqual(failure.column, column)
  }

  @Test func changedAndIntegerKeysAreFound() throws {
    struct Person: Decodable { var firstName: String }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let failure = try failure(#"{"first_name":1}"#, as: Person.self, decoder: decoder)
    expectEqual(failure.codingPath, "firstName")
    expectEqual(failure.found, "the number 1")
    expectEqual(try self.failure(#"{"1":"a","7":true}"#, as: [Int: String].self).found, "true")
    // Nothing shows which name an app's strategy has changed.
    decoder.keyDecodingStrategy = .custom { _ in JSONKey(stringValue: "firstName") }
    let changed = try self.failure(#"{"x":1}"#, as: Person.self, decoder: decoder)
    expectEqual(changed.found, "nothing in an object with the key \"x\"")
  }

  /// The decoder checks a string or a number only when it is decoded.
  @Test func faultElsewhereIsNotTakenForTheReason() {
    let document = Data(#"{"a":"yesterday","b":01}"#.utf8)
    func found(_ error: (DecodingError.Context) -> DecodingError, _ path: String...) -> String? {
      let path = path.map(JSONKey.init(stringValue:))
      return DecodingFailure(error(DecodingError.Context(codingPath: path, debugDescription: "")), in: document).found
    }
    expectEqual(found(DecodingError.dataCorrupted, "a"), "the string \"yesterday\"")
    expectEqual(found { .typeMismatch([Int].self, $0) }, "an object with 2 members")
    expectEqual(found({ .typeMismatch(Int.self, $0) }, "c"), "nothing in an object with the keys \"a\", \"b\"")
  }

  @Test func failureIsBounded() throws {
    let long = String(repeating: "é\u{1F30D}x", count: 5000)
    let members = (0..<1000).map { "\"\(long.prefix(100))\($0)\":1" }.joined(separator: ",")
    for json in [
      jokes("{\"id\":\"\(long)\"}"), jokes("{\(members)}"), jokes("{\"id\":1,\"joke\":{\(members)}}"),
      "{\"value\":[\"\(long)\n", jokes("{\"id\":\(String(repeating: "9", count: 5000)).5}"),
    ] {
      let failure = try failure(json)
      #expect(failure.excerpt.utf8.count <= 2 * 100 + 6)
      #expect(failure.description.unicodeScalars.count < 1500)
      #expect(!failure.excerpt.contains("\u{FFFD}"))
    }
    for (json, found) in [
      ("\"\(String(repeating: "x", count: 40))\"", "string \"\(String(repeating: "x", count: 40))\""),
      ("\"\(String(repeating: "x", count: 41))\"", "string \"\(String(repeating: "x", count: 40))…\""),
      ("\"\(String(repeating: "\\u00e9", count: 41))\"", "string \"\(String(repeating: "é", count: 40))…\""),
      ("\"\(String(repeating: "\\ud83c\\udf0d", count: 41))\"", "string \"\(String(repeating: "🌍", count: 40))…\""),
      (String(repeating: "9", count: 41), "number \(String(repeating: "9", count: 40))…"),
    ] { expectEqual(try failure(json).found, "the " + found) }
    let keys = (0..<65).map { JSONKey(stringValue: String(repeating: "k", count: $0 == 0 ? 65 : 1)) }
    for count in 64...65 {
      let context = DecodingError.Context(codingPath: Array(keys.prefix(count)), debugDescription: "")
      let path = DecodingFailure(.keyNotFound(keys[0], context), in: Data()).codingPath
      expectEqual(
        path, "\(keys[0].stringValue.dropLast())…\(String(repeating: ".k", count: 63))" + (count > 64 ? "…" : ""))
      let failure = DecodingFailure(.keyNotFound(keys[0], context), in: Data())
      expectEqual(failure.expected, "the key \"\(keys[0].stringValue.dropLast())…\"")
    }
    let garbage = try failure(in: Data(repeating: 0x80, count: 300))
    #expect(garbage.excerpt.utf8.count <= 6 && garbage.found == "an unexpected byte 0x80")
    let deep = try failure(String(repeating: "[", count: 200_000))
    expectEqual(deep.found, "more than 512 nested arrays and objects")
  }

  @Test(arguments: [
    #"{"value":[{"id":1,"password":"abcabc","joke":2}]}"#,
    #"{"value":[{"token":["abc","abc"],"id":"x"}]}"#,
    #"{"value":[{"token":{"x":"FILLabcFILL","y":[1,"abc"]},"id":"x"}]}"#,
    #"{"value":[{"token":"FILLabcabcFILL","id":"x"}]}"#,
    #"{"value":[{"token":"FILLFILLabcFILL","id":"x"}]}"#,
    #"{"value":[{"token":"FILLFILLabcFILL" "id":"x"}]}"#,
    #"{"token":{"value":[{"x":"FILL","y":"abc","z":tru}]}}"#,
    #"{"value":[{"password":"FILLabc"#,
    #"{"value":[{"password":"FILLabc\qabc"}]}"#,
    #"{"value":[{"password:"x","token":"abc"}]}"#, #"{"value":[{token":"abc"}]}"#,
    #"{"value":[{"x": y", "token":"abc"}]}"#,
    #"{"value":[{"x":"FILL\q","token":"abc"}]}"#,
    #"{"value":[{"id":1,"x":"FILLFILL","token":"abc","joke":2}]}"#,
    #"{"value":[{"id":"FILLFILL","x":1,"token":"abc","joke":2}]}"#,
    #"{"value":[{"id":{"x":1,"secret":"abc"}}]}"#,
    #"{"value":[{"Set-Cookie":"FILLabcFILL","id":"x"}]}"#,
    #"{"user.token":{"value":[{"x":"FILL","y":"abc","z":tru}]}}"#,
  ])
  func secretsAreHiddenInFailures(template: String) throws {
    for count in [0, 1, 30, 44, 45, 46, 47, 48, 49, 50, 51, 60, 90, 95, 100, 105, 200] {
      let json = template.replacingOccurrences(of: "FILL", with: String(repeating: "-", count: count))
      let utf16 = try #require(json.data(using: .utf16LittleEndian))
      for data in [Data(json.utf8), utf16, utf16 + [0], [0xFF, 0xFE] + utf16.dropLast(), utf16 + [0x00, 0xD8]] {
        let text = printedTexts(of: try failure(in: data)).replacingOccurrences(of: "\\u{0}", with: "")
        #expect(!text.contains("abc"), "\(count)")
      }
    }
  }

  @Test(arguments: [.utf16, .utf16LittleEndian, .utf32BigEndian] as [String.Encoding])
  func failureInAnotherEncodingReadsAsInUTF8(encoding: String.Encoding) throws {
    for json in [jokes(#"{"id":2,"joke":12}"#), jokes(#"{"id":2,"text":"é"}"#), jokes("[1,}")] {
      let data = try #require(json.data(using: encoding))
      expectEqual(try failure(in: data).description, try failure(json).description)
    }
    expectEqual(try failure(in: [0xEF, 0xBB, 0xBF] + Data("[]".utf8)).column, 1)
  }

  @Test func secretValuesAreHiddenByName() throws {
    let harmless = try failure(#"{"value":[{"token":"abc","id":"x","joke":"b"}]}"#).description
    #expect(harmless.hasSuffix(#"near {"value":[{"token":"<redacted>","id":"x","joke":"b"}]}"#))
    struct Login: Decodable {
      struct Part: Decodable { var pin: String }
      var user: Part
    }
    let secret = try failure(#"{"user":{"pin":815815}}"#, as: Login.self)
    #expect(!secret.description.contains("815815"))
    expectEqual(secret.found, "the number 815815")
    #expect(secret.excerpt.contains("815815"))
    let own = try failure(jokes(#"{"id":"815","joke":"b"}"#))
    #expect(own.description.contains("815"))
    let redaction = Redaction(fieldNames: ["id"])
    #expect(!own.description(redaction: redaction).contains("815"))
    #expect(own.description(redaction: redaction).contains("value[1].id"))
    // An app's model may write the value into its error.
    for (key, words, isShown) in [
      ("pin", "815 is odd", false), ("Cookie", "815 is odd", false), ("user.token", "815 is odd", false),
      ("zip", "815 is odd", true), ("zip", "", false),
    ] {
      let context = DecodingError.Context(codingPath: [JSONKey(stringValue: key)], debugDescription: words)
      let text = DecodingFailure(.dataCorrupted(context), in: Data(#"{"a":1}"#.utf8)).description
      expectEqual(text.contains("(815 is odd)"), isShown)
      #expect(!text.contains("()"))
    }
    let echo = DecodingError.Context(
      codingPath: [JSONKey(stringValue: "token=hunter2")], debugDescription: "password=hunter2")
    #expect(!DecodingFailure(.dataCorrupted(echo), in: Data("{}".utf8)).description.contains("hunter2"))
    let whole = DecodingError.Context(codingPath: [], debugDescription: "no")
    expectEqual(
      DecodingFailure(.dataCorrupted(whole), in: Data("{}".utf8)).description,
      "at the top level: the value can't be decoded (no); line 1, column 1, near {}")
    let long = String(repeating: "-", count: 150)
    let cut = try failure("{\"value\":[{\"token\":{\"a\":\"\(long)\",\"b\":1},\"id\":\"x\",\"joke\":\"\(long)\"}]}")
      .description
    #expect(cut.contains("near …<redacted>\"x\",") && cut.hasSuffix("…"))
  }
}
