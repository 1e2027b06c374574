@testable import WebServicesTestSupport

@Suite struct TextDecodingTests {
  private func text(_ bytes: [UInt8], _ charset: String?) throws(TextDecodingError) -> String {
    try String(text: Data([0] + bytes).dropFirst(), charset: charset)
  }

  @Test(
    arguments: [
      (nil, [0x67, 0xC3, 0xBC], "gü"), ("UTF-8", [0xF0, 0x9F, 0x8C, 0x8D], "🌍"), ("utf8", [], ""), ("", [0x61], "a"),
      ("US-ASCII", [0x61, 0x7F], "a\u{7F}"), ("iso-8859-1", [0x67, 0xFC, 0x80], "gü\u{80}"),
      ("Latin1", [0xE9], "é"), ("windows-1252", [0x80, 0x9F, 0xA0, 0xFC], "€Ÿ\u{A0}ü"), ("windows-1251", [0xC0], "А"),
      ("iso-8859-2", [0xB1], "ą"), ("latin2", [0xB1], "ą"), ("windows-1250", [0xB9], "ą"),
      ("windows-1253", [0xE1], "α"), ("windows-1254", [0xFD], "ı"), ("cp1252", [0x80], "€"),
      ("latin1", [0x80], "\u{80}"),
      ("shift_jis", [0x82, 0xA0], "あ"),
      ("utf-16", [0x61, 0x00], "a"), ("utf-16le", [0x3C, 0xD8, 0x0D, 0xDF], "🌍"),
      ("UTF-16BE", [0xD8, 0x3C, 0xDF, 0x0D], "🌍"), ("utf-32be", [0x00, 0x01, 0xF3, 0x0D], "🌍"),
      ("utf-32", [0x61, 0x00, 0x00, 0x00], "a"), (" utf-8 ", [0x61], "a"),
    ] as [(String?, [UInt8], String)])
  func charsetsAreFoundWithoutCase(charset: String?, bytes: [UInt8], expected: String) throws {
    expectEqual(try text(bytes, charset), expected)
  }

  @Test(arguments: [nil, "utf-8", "iso-8859-1", "utf-16be", "klingon"] as [String?])
  func byteOrderMarkOverridesTheCharset(charset: String?) throws {
    expectEqual(try text([0xEF, 0xBB, 0xBF, 0x61], charset), "a")
    expectEqual(try text([0xFF, 0xFE, 0x61, 0x00], charset), "a")
    expectEqual(try text([0xFE, 0xFF, 0x00, 0x61], charset), "a")
    expectEqual(try text([0xFF, 0xFE, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00], charset), "a")
    expectEqual(try text([0x00, 0x00, 0xFE, 0xFF, 0x00, 0x00, 0x00, 0x61], charset), "a")
  }

  @Test(
    arguments: [
      ("utf-8", [0x61, 0xFF]), ("utf-8", [0xC3, 0xA9, 0xC3]), ("utf-8", [0xED, 0xA0, 0x80]), ("ascii", [0x61, 0x80]),
      ("utf-16le", [0x61, 0x00, 0x62]), ("utf-16le", [0x61, 0x00, 0x00, 0xD8, 0x61, 0x00]),
      ("utf-16be", [0xDC, 0x00]), ("utf-32be", [0x00, 0x11, 0x00, 0x00]), ("utf-32be", [0x00, 0x00, 0xD8, 0x00]),
      ("utf-32be", [0x00, 0x00, 0x00, 0x61, 0x00]),
      ("utf-32be", [0x00, 0x00, 0x00, 0x61, 0x00, 0x00]), ("utf-32le", [0x61, 0x00, 0x00, 0x00, 0x62, 0x00]),
      ("utf-16be", [0x00, 0x61, 0x00]), ("us-ascii", [0xC3, 0xA9]), ("utf-8", [0xEF, 0xBB, 0xBF, 0x61, 0x80]),
    ] as [(String, [UInt8])])
  func malformedTextIsAnError(charset: String, bytes: [UInt8]) {
    #expect(throws: TextDecodingError.malformed(charset: charset)) { try text(bytes, charset) }
  }

  @Test func randomBytesAreDecodedOrRefused() {
    let charsets = [
      nil, "utf-8", "us-ascii", "latin1", "windows-1252", "utf-16le", "utf-16be", "utf-32", "utf-32be", "x",
    ]
    let pieces = [
      "a", "\0", "\u{C3}\u{BC}", "\u{F0}\u{9F}", "\u{80}", "\u{D8}", "\u{DC}", "\u{FF}\u{FE}", "\u{EF}\u{BB}\u{BF}",
    ]
    for bytes in randomTexts(1000, seed: 1, of: pieces, lengths: 0...9) {
      for charset in charsets { _ = try? text(bytes.unicodeScalars.map { UInt8($0.value) }, charset) }
    }
  }

  @Test func unknownCharsetIsNamed() {
    let error = TextDecodingError.unknownCharset("klingon")
    #expect(throws: error) { try text([0x61], "Klingon") }
    expectEqual(error.localizedDescription, "the charset \"klingon\" of the text isn't known")
    let long = TextDecodingError.unknownCharset(String(repeating: "x", count: 55) + "hunter2-hunter2")
    #expect(!long.description(redaction: Redaction.standard.hiding(and: ["Hunter2-Hunter2"])).contains("hunter"))
  }
}
