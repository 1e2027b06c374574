@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServicesTransport
@testable import WebServicesCore
@testable import WebServicesResilience

/// A short run of the parsers that `Benchmarks fuzz` tests at length, and of parsers that only tests can reach. A fixed
/// seed gives the same inputs in every run, and a failure names the input.
@Suite struct FuzzTests {
  private static let rounds = 400

  @Test func textIsDecodedOrRefusedInEveryEncoding() throws {
    let charsets = [
      nil, "utf-8", "us-ascii", "latin1", "windows-1252", "utf-16le", "utf-16be", "utf-32", "utf-32be", "x",
    ]
    try feed(["h\u{E9}llo", "\u{FEFF}x", "a\u{0}b\u{0}"], words: ["\u{FEFF}", "\u{1F600}"]) { data in
      for charset in charsets {
        do throws(TextDecodingError) {
          _ = try String(text: data, charset: charset)
        } catch {
          #expect(!"\(error)".isEmpty)
        }
      }
    }
  }

  #if os(Linux)
    @Test func responseHeadIsReadOrRefused() throws {
      let samples = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: a\r\n b\r\n\r\n", "HTTP/2 103\r\n\r\nHTTP/2 204 \r\n: x\r\n\r\n",
      ]
      try feed(samples, words: ["HTTP/", "\r\n", ": ", "Content-Length: 9\r\n", "\r\n\r\n"]) { data in
        var head = CurlHead()
        let end = data.split(separator: 0x0A, omittingEmptySubsequences: false).lazy
          .map { line in Data(line + [0x0A]).withUnsafeBytes { head.parse($0) } }
          .first { $0 != .more }
        #expect(!head.isComplete || end != nil)
        #expect((0...999).contains(head.statusCode))
      }
    }
  #endif

  // MARK: Inputs

  private func feed(_ samples: [String], words: [String], _ parse: (Data) throws -> Void) throws {
    var chance = SeededGenerator(seed: 1)
    let words = words.map { Array($0.utf8) }
    for _ in 0..<Self.rounds {
      var bytes = Array(samples[Int.random(in: samples.indices, using: &chance)].utf8)
      for _ in 0...Int.random(in: 0...5, using: &chance) { Self.change(&bytes, words: words, &chance) }
      try parse(Data(bytes))
    }
  }

  private static func change(_ bytes: inout [UInt8], words: [[UInt8]], _ chance: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &chance)
    let end = min(bytes.count, place + Int.random(in: 1...12, using: &chance))
    switch Int.random(in: 0...3, using: &chance) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &chance)
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &chance))
    default: bytes.insert(contentsOf: words.randomElement(using: &chance) ?? [], at: place)
    }
  }
}
