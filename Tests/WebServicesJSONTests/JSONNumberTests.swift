import WebServicesTestSupport

@Suite struct JSONNumberTests {
  private func check<Number: Decodable & BinaryFloatingPoint & LosslessStringConvertible>(
    _ texts: [String], as type: Number.Type
  ) throws {
    let json = Data("[\(texts.joined(separator: ","))]".utf8)
    let numbers = try FeatherJSONDecoder().decode([Number].self, from: json)
    for (text, number) in zip(texts, numbers) {
      #expect(number == Number(text), "\(text)")
    }
  }

  @Test func numbersDecodeToTheNearestValue() throws {
    var random = JSONRandom(seed: 3)
    var texts: [String] = []
    for _ in 0..<20_000 {
      let digits = String(random.next() >> UInt64(random.below(64)))
      let fraction = random.chance(1, in: 2) ? ".\(random.next() >> UInt64(random.below(64)))" : ""
      let exponent = random.chance(1, in: 2) ? "e\(random.below(80) - 40)" : ""
      texts.append((random.chance(1, in: 4) ? "-" : "") + digits + fraction + exponent)
    }
    try check(texts, as: Double.self)
    try check(
      texts.map { $0.replacingOccurrences(of: "e", with: "e-").replacingOccurrences(of: "--", with: "-") }.filter {
        Float($0).map { $0.isFinite && $0 != 0 } ?? false
      }, as: Float.self)
  }

  /// The result of one multiplication or division of 128 bits differs in the last bit if a remainder is dropped.
  @Test func lastBitOfADoubleIsRight() throws {
    let texts = [
      "8.666435759329393030", "4755776082210613312e10", "-8.666435759329393030", "4755776082210613313e10",
      "963571799758893888.1", "97.75373667551681223",
    ]
    try check(texts, as: Double.self)
    for text in texts { expectEqual(jsonDifference(Double.self, Data(text.utf8)), nil) }
  }

  @Test func exponentOfAnyLengthIsRead() {
    for digits in [19, 20, 400] {
      for sign in ["", "+", "-"] {
        for start in ["1", "-1", "0", "0.0", "1.5", "12345678901234567890"] {
          let data = Data("\(start)e\(sign)\(String(repeating: "9", count: digits))".utf8)
          expectEqual(jsonDifference(Double.self, data), nil)
          expectEqual(jsonDifference(Float.self, data), nil)
          expectEqual(jsonDifference(Int.self, data), nil)
          expectEqual(jsonDifference(UInt64.self, data), nil)
          _ = try? FeatherJSONDecoder().decode(JSONValue.self, from: data)
        }
      }
    }
  }

  @Test func longFractionDoesNotHideALargeExponent() {
    let data = Data("0.\(String(repeating: "0", count: 100_009))1e1000001".utf8)
    expectEqual(jsonDifference(Double.self, data), nil)
  }

  @Test func integersNearTheBoundsDecodeAsInFoundation() {
    var random = JSONRandom(seed: 5)
    for bound in ["9007199254740992", "9223372036854775807", "18446744073709551615", "99999999999999999999"] {
      for _ in 0..<300 {
        let end = String(random.below(100))
        let digits = bound.dropLast(end.count) + end
        let place = random.below(digits.count)
        let fraction = "\(digits.prefix(place + 1)).\(digits.dropFirst(place + 1))0"
        let texts = [
          String(digits), "\(digits).0", "\(digits).\(random.below(3))", "\(digits)e0", "\(digits)0e-1",
          "\(fraction)e\(digits.count - place - 1)", "\(digits.prefix(17))e\(random.below(4))",
        ]
        for text in texts.flatMap({ [$0, "-\($0)"] }) {
          expectEqual(jsonDifference(Int64.self, Data(text.utf8)), nil)
          expectEqual(jsonDifference(UInt64.self, Data(text.utf8)), nil)
          expectEqual(jsonDifference(Int32.self, Data(text.utf8)), nil)
        }
      }
    }
  }

  @Test func halfwayNumbersDecodeToTheNearestValue() throws {
    var random = JSONRandom(seed: 4)
    var texts: [String] = []
    for _ in 0..<5000 {
      let value = Double(
        sign: .plus, exponent: random.below(60) - 30, significand: 1 + Double(random.next() >> 12) * 0x1p-52)
      let middle = Decimal(value) + (Decimal(value.nextUp) - Decimal(value)) / 2
      texts += [
        "\(value)", "\(value.nextUp)", "\(middle)", "\(middle)1", "9007199254740993",
        "9007199254740993e\(random.below(40) - 20)",
      ]
    }
    try check(texts.filter { !$0.contains("e") || !$0.hasSuffix("1") }, as: Double.self)
  }

  @Test func numbersDecodeAsInFoundation() {
    for scalar in JSONScalar.all {
      for piece in scalar.pieces {
        func compare<Value: Decodable>(_ type: Value.Type) {
          for json in [piece, "[\(piece)]", "{\"a\":\(piece)}", " \(piece)\n"] {
            expectEqual(jsonDifference(type, Data(json.utf8)), nil)
            expectEqual(jsonDifference([Value].self, Data(json.utf8)), nil)
            expectEqual(jsonDifference([Value?].self, Data(json.utf8)), nil)
            expectEqual(jsonDifference([String: Value].self, Data(json.utf8)), nil)
          }
        }
        compare(scalar.type)
      }
    }
  }

  @Test func misfittingNumberNamesItsPlace() {
    struct Small: Decodable { var small: UInt8 }
    for number in ["300", "-1", "1.5", "1e99", "123456789012345678901234"] {
      let outcome = JSONOutcome {
        try FeatherJSONDecoder().decode([Small].self, from: Data("[{\"small\":\(number)}]".utf8))
      }
      expectEqual(outcome, .failure(kind: "corrupt", path: ["Index 0 0", "small"]))
    }
    let malformed = JSONOutcome { try FeatherJSONDecoder().decode(Small.self, from: Data(#"{"small":01}"#.utf8)) }
    expectEqual(malformed, .failure(kind: "corrupt", path: []))
    let long = Data("{\"small\":\(String(repeating: "9", count: 1000))}".utf8)
    let error = #expect(throws: DecodingError.self) { try FeatherJSONDecoder().decode(Small.self, from: long) }
    #expect(error.map { DecodingErrorFacts($0).explanation.count < 200 } == true)
  }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  @Test func wideIntegersAreDecoded() {
    let numbers = [
      "0", "-1", "170141183460469231731687303715884105727", "170141183460469231731687303715884105728", "1e30", "1e39",
      "-170141183460469231731687303715884105728", "340282366920938463463374607431768211455", "1.5",
    ]
    for number in numbers {
      expectEqual(jsonDifference([Int128].self, Data("[\(number)]".utf8)), nil)
      expectEqual(jsonDifference([UInt128].self, Data("[\(number)]".utf8)), nil)
      expectEqual(jsonDifference([String: Int128].self, Data("{\"a\":\(number)}".utf8)), nil)
    }
  }
}
