@testable import WebServicesTestSupport
@testable import WebServicesStreaming

@Suite struct LineParserTests {
  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r", ["a"]), ("a\r\n", ["a"]), ("\n", [""]), ("\r\n\r\n", ["", ""]),
      ("\n\r", ["", ""]), ("a\nb", ["a", "b"]), ("a\rb\r\nc\n\nd", ["a", "b", "c", "", "d"]),
      ("grün 🌍\nñ", ["grün 🌍", "ñ"]), ("\u{0}\n\u{85}\u{2028}\n", ["\u{0}", "\u{85}\u{2028}"]),
    ] as [(String, [String])])
  func linesEndWithLFCROrBoth(text: String, lines: [String]) { expectElements(.lines, text.utf8, lines) }

  @Test func byteOrderMarkIsSkippedOnce() {
    expectElements(.lines, "\u{FEFF}a\n\u{FEFF}b".utf8, ["a", "\u{FEFF}b"])
    expectElements(.lines, "\u{FEFF}".utf8, [])
    expectElements(.lines, "\u{FEFF}\n".utf8, [""])
    expectElements(.lines, [0xEF, 0xBB], ["\u{FFFD}"])
  }

  @Test func invalidUTF8IsRepaired() {
    expectElements(.lines, [0x61, 0xFF, 0x0A, 0xC3, 0x0A, 0x62], ["a\u{FFFD}", "\u{FFFD}", "b"])
  }

  @Test func lineLimitIsExact() {
    expectElements(.lines(limit: 3), "abc\r\nabc\nabc".utf8, ["abc", "abc", "abc"])
    let error = StreamLimitError(limit: 3)
    expectElements(.lines(limit: 3), "a\nabcd\nb\n".utf8, ["a"], error: error)
    expectElements(.lines(limit: 3), "a\nabcd".utf8, ["a"], error: error)
    expectEqual(error.description, "the stream has a line or an event of more than 3 bytes")
  }

  @Test func linesArrivePromptly() throws {
    let parser = StreamFormat.lines.makeDecoder(FeatherJSONDecoder())
    parser.append(Data("a\r".utf8))
    expectEqual(try parser.next(false), "a")
    expectEqual(try parser.next(false), nil)
    parser.append(Data("\nb".utf8))
    expectEqual(try parser.next(false), nil)
    expectEqual(try parser.next(true), "b")
    expectEqual(try parser.next(true), nil)
  }

  @Test func partOfALineStaysAfterALongOne() throws {
    let parser = StreamFormat.lines(limit: 1 << 22).makeDecoder(FeatherJSONDecoder())
    parser.append(Data(repeating: 0x61, count: 2 << 20) + Data("\nb".utf8))
    expectEqual(try parser.next(false)?.utf8.count, 2 << 20)
    expectEqual(try parser.next(false), nil)
    parser.append(Data("c\n".utf8))
    expectEqual(try parser.next(false), "bc")
  }

  @Test func randomCutsGiveTheSameLines() {
    let alphabet = Array("\r\n\u{FEFF}a".utf8)
    expectCutsDoNotMatter(.lines, seed: 21, alphabet: alphabet)
    expectCutsDoNotMatter(.lines(limit: 5), seed: 22, alphabet: alphabet)
  }

  @Test func bytesThatWereReadTakeNoMemory() throws {
    var parser = LineParser(limit: 1 << 22) { $0.count }
    func buffer() throws -> [UInt8] {
      try #require(Mirror(reflecting: parser).children.first { $0.label == "buffer" }?.value as? [UInt8])
    }
    let line = Data("0123456789\n".utf8)
    for _ in 0..<100 {
      parser.append(line)
      expectEqual(try parser.next(), 10)
      #expect(try buffer().count <= 2 * line.count)
    }
    parser.append(Data(repeating: 0x61, count: 1 << 21) + line)
    expectEqual(try parser.next(), 1 << 21 + 10)
    parser.append(line)
    #expect(try buffer().capacity < 1 << 20)
  }

  @Test(.timeLimit(.minutes(3))) func timeIsLinear() throws {
    let parser = StreamFormat.lines(limit: 1 << 22).makeDecoder(FeatherJSONDecoder())
    let piece = Data(repeating: 0x61, count: 64)
    for _ in 0..<(1 << 15) {
      parser.append(piece)
      expectEqual(try parser.next(false), nil)
    }
    parser.append(Data([0x0A]))
    expectEqual(try parser.next(false)?.utf8.count, 1 << 21)
  }

  @Test(
    arguments: [
      ("", []), ("{}\n", [[:]]), ("{}", [[:]]), (" {\"a\": 1}\t\r\n\n\r\n[2]\n \n3", [["a": 1], [2], 3]),
      ("\u{FEFF}1\n2", [1, 2]), ("[1,\r2]\n", [[1, 2]]), ("\n\t\n\n", []), ("\u{FEFF}", []),
    ] as [(String, [JSONValue])])
  func jsonLinesAreTrimmed(text: String, documents: [JSONValue]) {
    expectElements(.jsonLines(limit: 1 << 20), text.utf8, documents)
  }
}
