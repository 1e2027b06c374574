import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

@Suite struct DemoFileTests {
  @Test(
    arguments: [
      ("0", 0), ("500", 500), ("5k", 5_000), ("2M", 2_000_000), ("1G", 1_000_000_000), ("", nil), ("k", nil),
      ("-1", nil),
      ("1.5M", nil), ("5K", nil), ("9999999999999999999", nil), ("9999999999999G", nil), ("٣", nil),
    ] as [(String, Int64?)])
  func sizeSuffixesAreParsed(_ text: String, _ bytes: Int64?) {
    #expect(DemoFile.bytes(text) == bytes)
  }

  @Test func rangeHeadersSelectPartsOfTheFile() throws {
    let file = try #require(DemoFile(size: 100))
    let parts: [(String?, DemoFile.Part)] = [
      (nil, .whole), ("bytes=0-9", .part(0...9)), ("bytes=90-", .part(90...99)), ("bytes=90-1000", .part(90...99)),
      ("bytes=-10", .part(90...99)), ("bytes=-1000", .part(0...99)), ("bytes=100-", .unsatisfiable),
      ("bytes=-0", .unsatisfiable), ("lines=1-2", .whole), ("bytes=9-0", .whole), ("bytes=0-1,5-6", .whole),
    ]
    for (range, part) in parts {
      #expect(file.part(range: range, condition: nil) == part, "\(range ?? "")")
    }
    #expect(file.part(range: "bytes=90-", condition: file.entityTag) == .part(90...99))
    #expect(file.part(range: "bytes=90-", condition: "\"other\"") == .whole)
    #expect(DemoFile(size: 0)?.part(range: "bytes=0-", condition: nil) == .unsatisfiable)
    #expect(DemoFile(size: -1) == nil && DemoFile(size: .max) == nil)
  }

  @Test func partsHaveTheBytesOfTheWholeFile() {
    let whole = bytes(0..<50_000)
    #expect(whole.count == 50_000)
    for range in [0..<0, 0..<1, 5..<16_384, 16_383..<16_385, 100..<50_000, 49_999..<50_000, 16_384..<32_768] {
      #expect(bytes(Int64(range.lowerBound)..<Int64(range.upperBound)) == whole[range])
    }
  }

  private func bytes(_ range: Range<Int64>) -> Data {
    DemoFile.steps(range).reduce(into: Data()) { data, step in
      switch step {
      case .body(let piece): data += piece
      case .repeated(let piece, let times?): for _ in 0..<times { data += piece }
      default: break
      }
    }
  }
}
