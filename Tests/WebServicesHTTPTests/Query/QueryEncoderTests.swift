import Foundation
import Testing
import WebServices

@Suite struct QueryEncoderTests {
  private struct Filter: Encodable {
    struct Price: Encodable {
      var from: Int
      var to: Double?
    }

    var text = "a b"
    var tags = ["x", "y"]
    var price = Price(from: 3, to: nil)
    var isNew = true
    var missing: String?
  }

  private func query(_ value: some Encodable, _ encoder: QueryEncoder = QueryEncoder()) throws -> String {
    try encoder.encode(value).map { "\($0.name)=\($0.value ?? "?")" }.joined(separator: "&")
  }

  @Test func membersKeepTheirOrderWithoutNil() throws {
    #expect(try query(Filter()) == "text=a b&tags=x&tags=y&price[from]=3&isNew=true")
  }

  @Test(
    arguments: [
      (QueryEncoder.Arrays.repeated, "a=1&a=2"), (.brackets, "a[]=1&a[]=2"), (.indexed, "a[0]=1&a[2]=2"),
      (.commas, "a=1,2"),
    ])
  func arraysAreNamedAsChosen(choice: QueryEncoder.Arrays, expected: String) throws {
    let encoder = QueryEncoder(arrays: choice)
    #expect(try query(["a": [1, nil, 2]], encoder) == expected)
    #expect(try query(["a": [Int]()], encoder) == "")
  }

  @Test func nestedArraysAreNamedOrRefused() throws {
    let objects = ["a": [["b": 1], ["b": 2]]]
    let arrays = ["a": [[1, 2], [3]]]
    #expect(try query(objects, QueryEncoder(arrays: .indexed)) == "a[0][b]=1&a[1][b]=2")
    #expect(try query(objects, QueryEncoder(arrays: .indexed, nestedKeys: .dots)) == "a[0].b=1&a[1].b=2")
    #expect(try query(objects, QueryEncoder(arrays: .brackets)) == "a[][b]=1&a[][b]=2")
    #expect(try query(arrays, QueryEncoder(arrays: .indexed)) == "a[0][0]=1&a[0][1]=2&a[1][0]=3")
    for choice in [QueryEncoder.Arrays.repeated, .commas] {
      #expect(throws: EncodingError.self) { try query(objects, QueryEncoder(arrays: choice)) }
      #expect(throws: EncodingError.self) { try query(arrays, QueryEncoder(arrays: choice)) }
    }
    #expect(throws: EncodingError.self) { try query(["a": ["1,5", "2"]], QueryEncoder(arrays: .commas)) }
  }

  @Test func nestedKeysUseBracketsOrDots() throws {
    let value = ["a": ["b": ["c": 1]]]
    #expect(try query(value) == "a[b][c]=1")
    #expect(try query(value, QueryEncoder(nestedKeys: .dots)) == "a.b.c=1")
  }

  @Test func datesAreWrittenAsChosen() throws {
    let value = ["d": Date(timeIntervalSince1970: 1_000_000_000.5)]
    #expect(try query(value) == "d=2001-09-09T01:46:40Z")
    #expect(try query(value, QueryEncoder(dates: .secondsSince1970)) == "d=1000000000.5")
    #expect(try query(value, QueryEncoder(dates: .millisecondsSince1970)) == "d=1000000000500")
    #expect(try query(value, QueryEncoder(dates: .custom { "\(Int($0.timeIntervalSince1970))s" })) == "d=1000000000s")
    #expect(try query(["d": Date(timeIntervalSince1970: -62_167_219_200)]) == "d=0000-01-01T00:00:00Z")
    #expect(try query(["d": Date(timeIntervalSince1970: -0.5)]) == "d=1969-12-31T23:59:59Z")
    struct Refused: Error {}
    #expect(throws: Refused.self) { try query(value, QueryEncoder(dates: .custom { _ in throw Refused() })) }
  }

  @Test(arguments: [-1e300, 1e300, .infinity, .nan, 253_402_300_800])
  func unwritableDateIsAnError(seconds: TimeInterval) {
    let value = ["d": Date(timeIntervalSince1970: seconds)]
    #expect(throws: EncodingError.self) { try query(value) }
    if !seconds.isFinite {
      #expect(throws: EncodingError.self) { try query(value, QueryEncoder(dates: .millisecondsSince1970)) }
      #expect(throws: EncodingError.self) { try query(value, QueryEncoder(dates: .secondsSince1970)) }
    }
  }

  @Test func scalarsHaveTheirForms() throws {
    struct Values: Encodable {
      var yes = true
      var whole = 5.0
      var part: Float = 0.1
      var large = 1e300
      var negative = -0.0
      var biggest = UInt64.max
      var data = Data([0xFB, 0xFF, 0])
      var url = URL(string: "https://h/a?b=c")
      var decimal = Decimal(string: "12345678901234567890.25")
      var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    }
    #expect(
      try query(Values(), QueryEncoder(booleans: .numeric))
        == "yes=1&whole=5&part=0.1&large=1e+300&negative=0&biggest=18446744073709551615&data=+/8A&url=https://h/a?b=c"
        + "&decimal=12345678901234567890.25&id=01020304-0506-0708-090A-0B0C0D0E0F10")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func nonFiniteNumberNamesItsPlace(number: Double) throws {
    let error = #expect(throws: EncodingError.self) { try query(["a": ["b": number]]) }
    guard case .invalidValue(let place, let context) = error else {
      Issue.record("not an invalid value")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a", "b"])
    #expect("\(place)" == "at a.b, ")
    #expect(throws: EncodingError.self) { try query(["a": Float(number)]) }
    #expect(throws: EncodingError.self) { try query(["a": Decimal.nan]) }
  }

  @Test func onlyKeyedValuesAreQueries() throws {
    #expect(throws: EncodingError.self) { try query([1, 2]) }
    #expect(throws: EncodingError.self) { try query("text") }
    #expect(throws: EncodingError.self) { try query(Date()) }
    #expect(try query(Filter?.none) == "")
    #expect(try query([String: String]()) == "")
  }

  @Test func unorderedCollectionsAreSorted() throws {
    let letters = "qwertyuiopasdfghjklzxcvbnm".map(String.init)
    let dictionary = Dictionary(letters.map { ($0, Set(letters.prefix(5))) }, uniquingKeysWith: { $1 })
    let expected = letters.sorted().map { "\($0)=e,q,r,t,w" }.joined(separator: "&")
    #expect(try query(dictionary, QueryEncoder(arrays: .commas)) == expected)
  }

  @Test func classesShareOrSeparateKeys() throws {
    class Base: Encodable {
      var a = 1
    }
    final class Flat: Base {
      enum Keys: CodingKey { case b }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(2, forKey: .b)
        try super.encode(to: encoder)
      }
    }
    final class Apart: Base {
      enum Keys: CodingKey { case b, base }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try super.encode(to: container.superEncoder())
        try super.encode(to: container.superEncoder(forKey: .base))
        try container.encode(2, forKey: .b)
      }
    }
    #expect(try query(Flat()) == "b=2&a=1")
    #expect(try query(Apart()) == "super[a]=1&base[a]=1&b=2")
  }

  @Test func nestedContainersAndRepeatedKeysAreEncoded() throws {
    struct Nested: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("first", forKey: .a)
        var list = container.nestedUnkeyedContainer(forKey: .b)
        try list.encode(1)
        var inner = list.nestedContainer(keyedBy: Key.self)
        try inner.encode(true, forKey: .a)
        var again = container.nestedContainer(keyedBy: Key.self, forKey: .c)
        try again.encode(1, forKey: .a)
        var more = container.nestedContainer(keyedBy: Key.self, forKey: .c)
        try more.encode(2, forKey: .b)
        try container.encode("second", forKey: .a)
        try container.encodeNil(forKey: .d)
      }

      enum Key: CodingKey { case a, b, c, d }
    }
    #expect(
      try query(Nested(), QueryEncoder(arrays: .indexed)) == "a=second&b[0]=1&b[1][a]=true&c[a]=1&c[b]=2")
  }

  @Test func misuseIsAnError() {
    struct Mixed: Encodable {
      func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(1)
        var keyed = encoder.container(keyedBy: Key.self)
        try keyed.encode(1, forKey: .a)
      }

      enum Key: CodingKey { case a }
    }
    struct Twice: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
    final class Loop: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(self, forKey: .me)
      }

      enum Key: CodingKey { case me }
    }
    final class SingleLoop: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
      }
    }
    #expect(throws: EncodingError.self) { try query(Mixed()) }
    #expect(throws: EncodingError.self) { try query(["a": Twice()]) }
    #expect(throws: EncodingError.self) { try query(Loop()) }
    #expect(throws: EncodingError.self) { try query(SingleLoop()) }
  }
}
