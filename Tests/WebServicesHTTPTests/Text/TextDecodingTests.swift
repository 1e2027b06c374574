import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices

@Suite struct TextDecodingTests {
  private func text(_ bytes: [UInt8], _ charset: String?) throws -> String {
    try TextDecoding.string(from: Data(bytes), charset: charset)
  }

  @Test(
    arguments: [
      (nil, [0x67, 0xC3, 0xBC], "gü"), ("UTF-8", [0xF0, 0x9F, 0x8C, 0x8D], "🌍"), ("utf8", [], ""), ("", [0x61], "a"),
      ("US-ASCII", [0x61, 0x7F], "a\u{7F}"), ("iso-8859-1", [0x67, 0xFC, 0x80], "gü\u{80}"),
      ("Latin1", [0xE9], "é"), ("windows-1252", [0x80, 0x81, 0x9F, 0xA0, 0xFC], "€\u{81}Ÿ\u{A0}ü"),
      ("utf-16", [0x61, 0x00], "a"), ("utf-16le", [0x3C, 0xD8, 0x0D, 0xDF], "🌍"),
      ("UTF-16BE", [0xD8, 0x3C, 0xDF, 0x0D], "🌍"), ("utf-32be", [0x00, 0x01, 0xF3, 0x0D], "🌍"),
      ("utf-32", [0x61, 0x00, 0x00, 0x00], "a"), (" utf-8 ", [0x61], "a"),
    ] as [(String?, [UInt8], String)])
  func charsetsAreFoundWithoutCase(charset: String?, bytes: [UInt8], expected: String) throws {
    #expect(try text(bytes, charset) == expected)
  }

  @Test(
    arguments: [nil, "utf-8", "iso-8859-1", "utf-16be", "klingon"] as [String?])
  func byteOrderMarkOverridesTheCharset(charset: String?) throws {
    #expect(try text([0xEF, 0xBB, 0xBF, 0x61], charset) == "a")
    #expect(try text([0xFF, 0xFE, 0x61, 0x00], charset) == "a")
    #expect(try text([0xFE, 0xFF, 0x00, 0x61], charset) == "a")
    #expect(try text([0xFF, 0xFE, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00], charset) == "a")
    #expect(try text([0x00, 0x00, 0xFE, 0xFF, 0x00, 0x00, 0x00, 0x61], charset) == "a")
  }

  @Test func utf16ByNameMayBeginWithNUL() throws {
    #expect(try text([0xFF, 0xFE, 0x00, 0x00, 0x61, 0x00], "utf-16") == "\u{0}a")
    #expect(try text([0xFF, 0xFE, 0x00, 0x00, 0x61, 0x00, 0x62, 0x00], "utf-16le") == "\u{0}ab")
  }

  @Test(
    arguments: [
      (nil, "utf-8", [0x61, 0xFF], 1), ("UTF-8", "UTF-8", [0xC3, 0xA9, 0xC3], 2),
      ("utf8", "utf8", [0xED, 0xA0, 0x80], 0),
      ("ascii", "ascii", [0x61, 0x62, 0x80], 2), ("utf-16le", "utf-16le", [0x61, 0x00, 0x62], 2),
      ("utf-16le", "utf-16le", [0x61, 0x00, 0x00, 0xD8, 0x61, 0x00], 2), ("utf-16be", "utf-16be", [0xDC, 0x00], 0),
      ("utf-32be", "utf-32be", [0x00, 0x11, 0x00, 0x00], 0), ("utf-32be", "utf-32be", [0x00, 0x00, 0xD8, 0x00], 0),
      (nil, "utf-8", [0xEF, 0xBB, 0xBF, 0x61, 0x80], 4),
    ] as [(String?, String, [UInt8], Int)])
  func malformedTextNamesThePlace(charset: String?, name: String, bytes: [UInt8], offset: Int) {
    #expect(throws: TextDecodingError(charset: name, reason: .malformed(offset: offset))) {
      try text(bytes, charset)
    }
  }

  @Test func unknownCharsetIsNamed() {
    let error = TextDecodingError(charset: "klingon", reason: .unknownCharset)
    #expect(throws: error) { try text([0x61], "klingon") }
    #expect(error.description == "the charset \"klingon\" of the text isn't known")
    #expect(
      TextDecodingError(charset: "utf-8", reason: .malformed(offset: 7)).localizedDescription
        == "the text isn't utf-8: the bytes from offset 7 on are malformed")
  }

  @Test func mediaTypeGivesTheCharset() throws {
    let data = Data([0x00, 0xFC, 0x61]).dropFirst()
    #expect(
      try TextDecoding.string(from: data, charset: MediaType("text/plain; charset=\"ISO-8859-1\"")?.charset) == "üa")
    #expect(throws: TextDecodingError.self) { try TextDecoding.string(from: data, charset: nil) }
  }

  @Test func randomBytesAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 31)
    let charsets = ["utf-8", "ascii", "latin1", "windows-1252", "utf-16le", "utf-16be", "utf-32le", "utf-32be"]
    for round in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let charset = charsets[round % charsets.count]
      do {
        let decoded = try text(bytes, charset)
        if charset == "utf-8", !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) {
          #expect(Array(decoded.utf8) == bytes)
        }
      } catch let error as TextDecodingError {
        #expect(error.charset == charset)
      }
    }
  }
}
