import WebServicesTestSupport

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

  @Test func membersAreSortedWithoutNil() throws {
    expectEqual(try query(Filter()), "isNew=true&price[from]=3&tags=x&tags=y&text=a b")
  }

  @Test(arguments: [
    (QueryEncoder.Arrays.repeated, "a=1&a=2"), (.brackets, "a[]=1&a[]=2"), (.indexed, "a[0]=1&a[2]=2"),
    (.commas, "a=1,2"),
  ])
  func arraysAreNamedAsChosen(choice: QueryEncoder.Arrays, expected: String) throws {
    let encoder = QueryEncoder(arrays: choice)
    expectEqual(try query(["a": [1, nil, 2]], encoder), expected)
    expectEqual(try query(["a": [Int]()], encoder), "")
  }

  @Test func nestedArraysAreNamedOrRefused() throws {
    let objects = ["a": [["b": 1], ["b": 2]]]
    let arrays = ["a": [[1, 2], [3]]]
    expectEqual(try query(objects, QueryEncoder(arrays: .indexed)), "a[0][b]=1&a[1][b]=2")
    expectEqual(try query(objects, QueryEncoder(arrays: .indexed, nestedKeys: .dots)), "a[0].b=1&a[1].b=2")
    expectEqual(try query(objects, QueryEncoder(arrays: .brackets)), "a[][b]=1&a[][b]=2")
    expectEqual(try query(arrays, QueryEncoder(arrays: .indexed)), "a[0][0]=1&a[0][1]=2&a[1][0]=3")
    for choice in [QueryEncoder.Arrays.repeated, .commas] {
      #expect(throws: BodyFailure.self) { try query(objects, QueryEncoder(arrays: choice)) }
      #expect(throws: BodyFailure.self) { try query(arrays, QueryEncoder(arrays: choice)) }
    }
    #expect(throws: BodyFailure.self) { try query(["a": ["1,5", "2"]], QueryEncoder(arrays: .commas)) }
  }

  @Test func nestedKeysUseBracketsOrDots() throws {
    let value = ["a": ["b": ["c": 1]]]
    expectEqual(try query(value), "a[b][c]=1")
    expectEqual(try query(value, QueryEncoder(nestedKeys: .dots)), "a.b.c=1")
  }

  @Test func datesAreWrittenAsChosen() throws {
    let value = ["d": Date(timeIntervalSince1970: 1_000_000_000.5)]
    expectEqual(try query(value), "d=2001-09-09T01:46:40Z")
    expectEqual(try query(value, QueryEncoder(dates: .secondsSince1970)), "d=1000000000.5")
    expectEqual(try query(value, QueryEncoder(dates: .millisecondsSince1970)), "d=1000000000500")
    let fine = ["d": Date(timeIntervalSince1970: 1.0004)]
    expectEqual(try query(fine, QueryEncoder(dates: .millisecondsSince1970)), "d=1000")
    expectEqual(try query(value, QueryEncoder(dates: .custom { "\(Int($0.timeIntervalSince1970))s" })), "d=1000000000s")
    expectEqual(try query(["d": Date(timeIntervalSince1970: 253_402_300_799)]), "d=9999-12-31T23:59:59Z")
    expectEqual(try query(["d": Date(timeIntervalSince1970: -0.5)]), "d=1969-12-31T23:59:59Z")
    struct Refused: Error {}
    #expect(throws: Refused.self) { try query(value, QueryEncoder(dates: .custom { _ in throw Refused() })) }
  }

  @Test(arguments: [-1e300, 1e300, .infinity, .nan, 253_402_300_800, -62_135_596_801])
  func unwritableDateIsAnError(seconds: TimeInterval) {
    let value = ["d": Date(timeIntervalSince1970: seconds)]
    #expect(throws: BodyFailure.self) { try query(value) }
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
    expectEqual(
      try query(Values(), QueryEncoder(booleans: .numeric)),
      "biggest=18446744073709551615&data=+/8A&decimal=12345678901234567890.25"
        + "&id=01020304-0506-0708-090A-0B0C0D0E0F10&large=1e+300&negative=0&part=0.1&url=https://h/a?b=c&whole=5&yes=1")
    #expect(throws: EncodingError.self) { try query(["a": ["b": Double.nan]]) }
  }

  private struct Nested: Encodable {
    var depth: Int

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: JSONKey.self)
      if depth > 0 { try members.encode(Nested(depth: depth - 1), forKey: JSONKey(stringValue: "a")) }
    }
  }

  @Test func valuesThatAreNestedTooDeepAreNotCutOff() throws {
    expectEqual(try query(Nested(depth: 100)), "")
    // Foundation refuses it on Linux.
    #expect(throws: (any Error).self) { try query(Nested(depth: 600)) }
  }

  @Test func onlyKeyedValuesAreQueries() throws {
    #expect(throws: BodyFailure.self) { try query([1, 2]) }
    #expect(throws: BodyFailure.self) { try query("text") }
    #expect(throws: BodyFailure.self) { try query(Date()) }
    expectEqual(try query(Filter?.none), "")
    expectEqual(try query([String: String]()), "")
  }
}
