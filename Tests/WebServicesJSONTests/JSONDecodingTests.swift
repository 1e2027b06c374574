@testable import WebServicesTestSupport

@Suite struct JSONDecodingTests {
  private struct Plant: Decodable {
    var kind: Kind
    var size: Double?
    var tags: Set<String>
    var children: [Plant]?
    enum Kind: String, Decodable { case tree, bush }
  }

  private func same<Value: Decodable>(_ type: Value.Type, _ jsons: [String]) {
    for json in jsons {
      expectEqual(jsonDifference(type, Data(json.utf8)), nil)
      expectEqual(jsonDifference([Value].self, Data("[\(json),\(json)]".utf8)), nil)
      expectEqual(jsonDifference([String: Value?].self, Data("{\"a\":\(json)}".utf8)), nil)
      expectEqual(jsonDifference([Value?].self, Data("[null,\(json)]".utf8)), nil)
    }
  }

  @Test func documentsDecodeAsInFoundation() {
    same(
      Plant.self,
      [
        #"{"kind":"tree","tags":["a","a"]}"#,
        #"{"kind":"bush","tags":[],"children":null}"#,
        #"{"kind":"bush","size":null,"tags":[],"children":[{"kind":"tree","tags":[1]}]}"#,
        #"{"kind":"flower","tags":[]}"#, #"{"tags":[]}"#, #"{"kind":"tree","size":"x","tags":[]}"#,
        #"{"kind":"tree","kind":"bush","tags":[],"tags":1}"#, #"{"tags":[],"kind":"tree","size":1e400}"#,
      ])
    same([Int: String].self, [#"{"1":"a"}"#, #"{"1":2}"#, #"{"x":"a"}"#, #"{"01":"a"}"#, "[]", #"{"1":"a","1":"b"}"#])
    same([Plant.Kind: Int].self, [#"["tree",1]"#, #"["tree"]"#, #"{"tree":1}"#])
    same([Double: Int].self, ["[1.5,2]", "[1.5]", "[]", "{}"])
    same(URL.self, [#""http://example.com""#, #""""#, "1"])
    same(Range<Int>.self, ["[1,2]", "[2,1]", "[1]"])
    same(UUID.self, [#""6BA7B810-9DAD-11D1-80B4-00C04FD430C8""#, #""x""#])
  }

  @Test func firstMemberWithARepeatedNameIsDecoded() throws {
    struct Model: Decodable, CustomStringConvertible {
      var description = ""
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSONShapedKey.self)
        for name in ["b", "a", "a", "c", "missing", "a", "d", "b"] {
          let key = JSONShapedKey(name)
          description += "\(container.contains(key)) \(try container.decodeIfPresent(Int.self, forKey: key) ?? -1) "
        }
        description += "\(container.allKeys.map(\.stringValue).sorted())"
      }
    }
    let numbers = (0..<200).map { "\"n\($0)\":\($0)" }
    same(
      Model.self,
      [
        #"{"a":1,"b":2,"c":3,"d":4}"#, #"{"d":1,"c":2,"b":3,"a":4}"#, #"{"a":1,"a":2,"b":3,"b":4}"#,
        #"{"c":{"a":7},"b":1,"a":2,"c":3}"#, #"{"x":1,"a":1,"y":2,"b":2,"a":3,"c":null,"b":7}"#,
        #"{"\u0061":1,"a":2,"b":3}"#, "{\(numbers.joined(separator: ",")),\"a\":1,\"a\":2}",
        "{\"a\":1,\(numbers.prefix(60).joined(separator: ",")),\"b\":2,\"a\":3}",
      ])
    // The hash of a long name ignores its middle.
    struct Book: Decodable { var identifierTwoOfTheBook: Int }
    same(Book.self, [#"{"identifierOneOfTheBook":1,"identifierTwoOfTheBook":2}"#, #"{"identifierOneOfTheBook":1}"#])
    same([String: Int].self, ["{\"\(String(repeating: "n", count: 5000))\":1}"])
    same(JSONValue.self, [#"{"a":1,"a":2}"#])
  }

  @Test func equivalentUnicodeNameIsFound() throws {
    struct Model: Decodable {
      var é: Int
      var K: Int?
    }
    for json in ["{\"e\u{301}\":1}", "{\"\u{E9}\":1,\"\u{212A}\":2}", #"{"\u00e9":1,"K":3}"#, "{\"e\":1}"] {
      expectEqual(jsonDifference(Model.self, Data(json.utf8)), nil)
    }
    expectEqual(jsonDifference([String: Int].self, Data("{\"e\u{301}\":1,\"\u{E9}\":2}".utf8)), nil)
  }

  @Test func innerErrorsAreDecodingErrors() throws {
    struct Model: Decodable {
      var isCaught = false
      init(from decoder: any Decoder) throws {
        do { _ = try decoder.singleValueContainer().decode(String.self) } catch is DecodingError { isCaught = true }
      }
    }
    for json in [#""\q""#, #""\ud800""#, "\"\\n\t\""] {
      #expect(try FeatherJSONDecoder().decode(Model.self, from: Data(json.utf8)).isCaught)
    }
  }

  /// A key may be more than its name, and need not be made of it.
  @Test func errorHasTheKeyOfTheModel() {
    struct Key: CodingKey {
      var stringValue = "aB"
      var intValue: Int? { 7 }
      init() {}
      init?(stringValue: String) { nil }
      init?(intValue: Int) { nil }
    }
    struct Number: Decodable {
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: Key())
      }
    }
    struct Numbers: Decodable {
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Key.self).decode([Int].self, forKey: Key())
      }
    }
    func outcome(_ type: any Decodable.Type) -> JSONOutcome {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return JSONOutcome { try FeatherJSONDecoder(decoder).decode(type, from: Data(#"{"a_b":["x"]}"#.utf8)) }
    }
    expectEqual(outcome(Number.self), .failure(kind: "not Int", path: ["aB 7"]))
    expectEqual(outcome(Numbers.self), .failure(kind: "not Int", path: ["aB", "Index 0 0"]))
  }

  @Test func arrayOfAnyLengthIsDecodedWhole() throws {
    let numbers = (0..<5000).map { Int16($0) }
    expectEqual(try FeatherJSONDecoder().decode([Int16].self, from: Data("\(numbers)".utf8)), numbers)
  }

  @Test func currentIndexStopsAtTheEnd() throws {
    struct Model: Decodable {
      var counts: [Int] = []
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        for _ in 0..<4 {
          _ = try container.decodeIfPresent(Int.self)
          counts.append(container.currentIndex)
        }
      }
    }
    expectEqual(try FeatherJSONDecoder().decode(Model.self, from: Data("[1,null]".utf8)).counts, [1, 2, 2, 2])
  }

  @Test func containersOutliveTheDecoding() throws {
    struct Kept: Decodable {
      var decoder: any Decoder
      var keyed: KeyedDecodingContainer<JSONShapedKey>
      var unkeyed: any UnkeyedDecodingContainer
      var inner: any Decoder

      init(from decoder: any Decoder) throws {
        self.decoder = decoder
        keyed = try decoder.container(keyedBy: JSONShapedKey.self)
        unkeyed = try keyed.nestedUnkeyedContainer(forKey: JSONShapedKey("b"))
        inner = try keyed.superDecoder(forKey: JSONShapedKey("c"))
      }
    }
    func kept() throws -> [Kept] {
      try FeatherJSONDecoder().decode(
        [Kept].self,
        from: Data((#"[{"a":"a text that is longer than a few bytes","b":["x"],"c":1.5},{"b":["y"],"a":"2"}]"#).utf8))
    }
    var all = try kept()
    let key = JSONShapedKey("a")
    expectEqual(try all[0].keyed.decode(String.self, forKey: key), "a text that is longer than a few bytes")
    expectEqual(try all[1].keyed.decode(String.self, forKey: key), "2")
    expectEqual(try all[1].unkeyed.decode(String.self), "y")
    expectEqual(JSONOutcome.words(all[1].decoder.codingPath), ["Index 1 1"])
    expectEqual(JSONOutcome.words(all[0].inner.codingPath), ["Index 0 0", "c"])
    expectEqual(JSONOutcome.words(all[1].inner.codingPath), ["Index 1 1", "c"])
    #expect(try all[1].inner.singleValueContainer().decodeNil())
    let outcome = JSONOutcome { try all[0].inner.singleValueContainer().decode(Int.self) }
    expectEqual(outcome, .failure(kind: "corrupt", path: ["Index 0 0", "c"]))
  }

  @Test func decoderRetainsNoDocument() throws {
    final class Probe: @unchecked Sendable {}
    struct Model: Decodable {
      var decoder: any Decoder
      init(from decoder: any Decoder) throws {
        self.decoder = decoder
        // The document keeps the container for the next object.
        _ = try decoder.container(keyedBy: JSONShapedKey.self)
      }
    }
    let key = try #require(CodingUserInfoKey(rawValue: "probe"))
    weak var probe: Probe?
    try {
      let settings = JSONDecoder()
      let kept = Probe()
      settings.userInfo[key] = kept
      probe = kept
      let model = try FeatherJSONDecoder(settings).decode([Model].self, from: Data("[{\"a\":1}]".utf8))
      let container = try model[0].decoder.container(keyedBy: JSONShapedKey.self)
      expectEqual(try container.decode(Int.self, forKey: JSONShapedKey("a")), 1)
    }()
    #expect(probe == nil)
  }

  @Test func bytesAndSlicesAreAccepted() throws {
    let data = Data("xx[1,2]yy".utf8)[2..<7]
    expectEqual(try FeatherJSONDecoder().decode([Int].self, from: data), [1, 2])
    expectEqual(try FeatherJSONDecoder().decode([Int].self, from: Array(data)), [1, 2])
    #expect(throws: DecodingError.self) { try FeatherJSONDecoder().decode([Int].self, from: [UInt8]()) }
  }

  /// The place of a value must be known without a search for it: a search would take minutes.
  @Test func largeDocumentFailsFast() throws {
    struct Failing: Decodable {
      var lastPath: [String] = []
      init(from decoder: any Decoder) throws {
        func fail(_ decode: () throws -> Int) {
          do { _ = try decode() } catch DecodingError.typeMismatch(_, let context) {
            lastPath = JSONOutcome.words(context.codingPath)
          } catch {}
        }
        if var elements = try? decoder.unkeyedContainer() {
          while let element = try? elements.superDecoder() { fail { try Int(from: element) } }
        } else {
          let members = try decoder.container(keyedBy: JSONShapedKey.self)
          for key in members.allKeys { fail { try members.decode(Int.self, forKey: key) } }
        }
      }
    }
    let numbers = 0..<20_000
    for (json, last) in [
      ("[\(numbers.map { _ in "[1]" }.joined(separator: ","))]", "Index 19999 19999"),
      ("{\(numbers.map { "\"n\($0)\":{\"a\":[1]}" }.joined(separator: ","))}", "n19999"),
    ] {
      expectEqual(try FeatherJSONDecoder().decode(Failing.self, from: Data(json.utf8)).lastPath, [last])
    }
    // A long name is read once, for the paths of all values below it.
    let name = String(repeating: "n", count: 1000)
    let values = try FeatherJSONDecoder().decode([String: Failing].self, from: Data("{\"\(name)\":[[1],[1]]}".utf8))
    expectEqual(values[name]?.lastPath, [name, "Index 1 1"])
  }

  /// Room for all elements of a large type would be 32,000 times as large as the document.
  @Test(arguments: [("[", "0"), ("{", "\"\":0")])
  func collectionTakesMemoryForWhatItHasDecoded(start: String, element: String) {
    struct Wide<Part: Decodable>: Decodable { var a, b, c, d, e, f, g, h: Part }
    typealias Model = Wide<Wide<Wide<Wide<String>>>>
    let json = start + String(repeating: element + ",", count: 600_000) + element + (start == "[" ? "]" : "}")
    let error = #expect(throws: DecodingError.self) {
      if start == "[" {
        _ = try FeatherJSONDecoder().decode([Model].self, from: Data(json.utf8))
      } else {
        _ = try FeatherJSONDecoder().decode([String: Model].self, from: Data(json.utf8))
      }
    }
    #expect("\(String(describing: error))".contains("typeMismatch"))
  }

  // Foundation of Swift 6.2 decodes repeated members of a dictionary, and names other coding paths for its keys.
  #if compiler(>=6.3)
    @Test func repeatedMembersOfADictionaryAreIgnored() {
      same([String: String].self, [#"{"a":"x","a":1}"#, #"{"a":"x","\u0061":null}"#, #"{"a":1,"a":"x"}"#])
    }

    @Test func randomModelsDecodeAsInFoundation() {
      for seed in seeds(500, many: 4000) { expectEqual(jsonRandomDifference(seed: seed), nil) }
    }
  #endif
}
