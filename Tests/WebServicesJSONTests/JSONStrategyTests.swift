import WebServicesTestSupport

@testable import WebServicesJSON

@Suite struct JSONStrategyTests {
  private struct Name: Decodable {
    var firstName: String
    var lastName: String?
  }

  private func decoder(of decoder: JSONDecoder = JSONDecoder(), _ change: (JSONDecoder) -> Void) -> JSONDecoder {
    change(decoder)
    return decoder
  }

  private func same<Value: Decodable>(_ type: Value.Type, _ json: String, _ decoder: JSONDecoder) {
    expectEqual(jsonDifference(type, Data(json.utf8), decoder), nil)
  }

  @Test(arguments: JSONShape.names + ["_", "__", "a__b", "_a_", "ÉTÉ_ÉTÉ", "a_1_b", "ß_ß", "one_TWO"])
  func snakeCaseNamesAreConverted(name: String) {
    let decoder = decoder { $0.keyDecodingStrategy = .convertFromSnakeCase }
    let escaped = name.replacingOccurrences(of: "\"", with: "\\\"")
    let json = Data("{\"\(escaped)\":{\"\(escaped)\":1}}".utf8)
    expectEqual(jsonDifference(AnyJSONText.self, json, decoder), nil)
    expectEqual(jsonDifference([String: [String: Int]].self, json, decoder), nil)
    expectEqual(jsonDifference([String: [String: String]].self, json, decoder), nil)
    expectEqual(jsonDifference([String: AnyJSONText].self, json, decoder), nil)
    expectEqual(jsonDifference(Name.self, json, decoder), nil)
  }

  /// The names of an object's members, as a decoder's strategy makes them.
  private struct Keys: Decodable {
    var keys: [String]
    /// Which of the names in the decoder's `userInfo` are found.
    var found: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: JSONKey.self)
      keys = container.allKeys.map(\.stringValue)
      let sought = Self.sought.flatMap { decoder.userInfo[$0] as? [String] } ?? []
      found = sought.filter { container.contains(JSONKey(stringValue: $0)) }
    }

    static let sought = CodingUserInfoKey(rawValue: "sought")
  }

  @Test func memberIsFoundByTheKeyThatFoundationMakesOfItsName() throws {
    var random = JSONRandom(seed: 37)
    // The sign for kelvin equals a K.
    let letters = ["a", "b", "K", "_", "_", "2", "-", "."]
    for _ in 0..<500 {
      let names = (0..<4).map { _ in (0..<random.below(8)).map { _ in letters[random.below(letters.count)] }.joined() }
      let json = Data("{\(names.map { "\"\($0)\":1" }.joined(separator: ","))}".utf8)
      let decoder = decoder { $0.keyDecodingStrategy = .convertFromSnakeCase }
      let keys = try decoder.decode(Keys.self, from: json).keys
      decoder.userInfo[try #require(Keys.sought)] = names + keys + ["\u{212A}"]
      let (own, other) = try (
        FeatherJSONDecoder(decoder).decode(Keys.self, from: json), decoder.decode(Keys.self, from: json)
      )
      expectEqual(own.found, other.found)
      expectEqual(Set(own.keys), Set(other.keys))
      #expect(Set(own.found).isSuperset(of: keys))
    }
  }

  /// Names and keys that differ may have equal hashes.
  @Test func keyIsComparedWithTheWholeName() {
    func makes(_ key: String, of name: String) -> Bool {
      Array(key.utf8).withUnsafeBufferPointer { key in
        Array(name.utf8).withUnsafeBufferPointer { JSONSnakeCase.makes(key, of: $0) }
      }
    }
    expectEqual(["aB", "aBc", "a", "ab", "a_b", ""].filter { makes($0, of: "a_b") }, ["aB"])
    #expect(makes("zAzZ", of: "z_az_z"))
  }

  @Test func edgesOfDatesDataAndNumbersAreRead() {
    let dates: [JSONDecoder.DateDecodingStrategy] = [
      .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601,
      .custom { try Date(timeIntervalSince1970: Double($0.singleValueContainer().decode(Int.self))) },
    ]
    let data: [JSONDecoder.DataDecodingStrategy] = [
      .base64, .deferredToData, .custom { try Data($0.singleValueContainer().decode(String.self).utf8) },
    ]
    let pieces = Set(JSONScalar.all.flatMap(\.pieces)).union(["null", "{}", "[]", "[1,2]"])
    for index in 0..<5 {
      let decoder = decoder { decoder in
        decoder.dateDecodingStrategy = dates[index]
        decoder.dataDecodingStrategy = data[index % 3]
        decoder.nonConformingFloatDecodingStrategy =
          index < 2 ? .throw : .convertFromString(positiveInfinity: "inf", negativeInfinity: "é", nan: "NaN")
      }
      for piece in pieces {
        same([Date].self, "[\(piece)]", decoder)
        same([Data?].self, "[\(piece)]", decoder)
        same([Data].self, "[\(piece)]", decoder)
        same([URL].self, "[\(piece)]", decoder)
        same([String: Double].self, "{\"a\":\(piece)}", decoder)
        same([Float].self, "[\(piece),\"é\",\"inf\"]", decoder)
        same([String: Date].self, "{\"a\":\(piece)}", decoder)
      }
    }
  }

  @Test func invalidDateNamesItsOwnPath() {
    let decoder = decoder { $0.dateDecodingStrategy = .iso8601 }
    let outcome = JSONOutcome {
      try FeatherJSONDecoder(decoder).decode([String: [Date]].self, from: Data(#"{"a":["yesterday"]}"#.utf8))
    }
    expectEqual(outcome, .failure(kind: "corrupt", path: ["a", "Index 0 0"]))
  }

  @Test func changedSettingsApplyOnceTheyAreSetAgain() throws {
    let settings = JSONDecoder()
    var own = FeatherJSONDecoder(settings)
    let json = Data(#"{"first_name":"a","firstName":"b"}"#.utf8)
    expectEqual(try own.decode(Name.self, from: json).firstName, "b")
    settings.keyDecodingStrategy = .convertFromSnakeCase
    expectEqual(try own.decode(Name.self, from: json).firstName, "b")
    own.settings = settings
    expectEqual(try own.decode(Name.self, from: json).firstName, "a")
  }

  // MARK: What Foundation's decoder does

  @Test func subclassOfJSONDecoderDecodesItself() throws {
    class Own: JSONDecoder, @unchecked Sendable {
      override func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try super.decode(type, from: Data("[1]".utf8))
      }
    }
    expectEqual(try FeatherJSONDecoder(Own()).decode([Int].self, from: Data("{}".utf8)), [1])
    #expect(throws: DecodingError.self) { try FeatherJSONDecoder(Own()).decode([Int].self, from: Array("x".utf8)) }
  }

  @Test func otherEncodingsDecodeAsInFoundation() throws {
    let json = #"{"é":[1,"😀"]}"#
    for encoding: String.Encoding in [
      .utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ] {
      let data = try #require(json.data(using: encoding))
      expectEqual(jsonDifference(AnyJSONText.self, data), nil)
      expectEqual(jsonDifference(AnyJSONText.self, data.dropLast()), nil)
    }
    expectEqual(jsonDifference(Int.self, try #require("7".data(using: .utf16LittleEndian))), nil)
    expectEqual(jsonDifference(AnyJSONText.self, Data([0xEF, 0xBB, 0xBF]) + Data(json.utf8)), nil)
    expectEqual(jsonDifference(AnyJSONText.self, Data([0xEF, 0xBB, 0xBF])), nil)
    expectEqual(jsonDifference(AnyJSONText.self, Data()), nil)
  }

  @Test(
    arguments: [
      ([0, 0, 0xFE, 0xFF], .utf32BigEndian), ([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
      ([0xFF, 0xFE], .utf16LittleEndian), ([0xEF, 0xBB, 0xBF], .utf8),
    ] as [([UInt8], String.Encoding)])
  func documentsWithAByteOrderMarkAreDecoded(mark: [UInt8], encoding: String.Encoding) throws {
    for text in ["é😀", ""] {
      let data = try Data(mark) + #require("[\"\(text)\"]".data(using: encoding))
      expectEqual(try FeatherJSONDecoder().decode([String].self, from: data), [text])
      #expect(throws: DecodingError.self) { try FeatherJSONDecoder().decode([String].self, from: data.dropLast()) }
    }
    #expect(throws: DecodingError.self) { try FeatherJSONDecoder().decode([String].self, from: Data(mark)) }
  }

  // MARK: Unusual documents

  private final class Subclass: JSONDecoder, @unchecked Sendable {}

  private let open = { $0.assumesTopLevelDictionary = true } as (JSONDecoder) -> Void

  @Test(arguments: [511, 512, 513, 600])
  func deepDocumentThatBreaksOffIsRefused(depth: Int) throws {
    let arrays = String(repeating: "[", count: depth)
    for decoder in [JSONDecoder(), Subclass(), decoder(open), decoder(of: Subclass(), open)] {
      for encoding: String.Encoding in [.utf8, .utf16LittleEndian, .utf16, .utf32BigEndian, .utf32LittleEndian] {
        for text in [arrays, "\"a\":" + arrays] {
          let data = try #require(text.data(using: encoding))
          #expect(throws: DecodingError.self) { try FeatherJSONDecoder(decoder).decode(AnyJSONText.self, from: data) }
        }
      }
    }
  }

  @Test(arguments: [
    "\"a\":1", "\"a\":1.5,\"b\":[2]", " { \"a\" : 1 } ", "", " ", "\"a\":1,", "\"a\":1}", "{\"a\":1", "\"a\":\"b",
    "[1]", "\"a\"", "\"a\":{\"b\":1}}{", "}", "{",
  ])
  func documentsWithoutBracesDecodeAsInFoundation(json: String) {
    // Foundation reads beyond a number at the end.
    expectEqual(jsonDifference(AnyJSONText.self, Data((json + "\n").utf8), decoder(open)), nil)
    _ = try? FeatherJSONDecoder(decoder(open)).decode([String: Double].self, from: Data(json.utf8))
  }

  @Test func textInAnyEncodingDecodesAsInFoundation() {
    var random = JSONRandom(seed: 7)
    for _ in 0..<3_000 {
      var bytes = (0..<random.below(9)).map { _ in
        [0, 0, 0xFE, 0xFF, 0xEF, 0xBB, 0xBF, 0x31, 0x5B, 0x5D, 0x20][random.below(11)] as UInt8
      }
      if random.below(2) == 0 { bytes += [0x31, 0, 0, 0] }
      #expect(jsonDifference(AnyJSONText.self, Data(bytes)) == nil, "\(bytes)")
    }
  }
}
