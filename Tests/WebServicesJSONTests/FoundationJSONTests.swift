import Foundation
import Testing
import WebServices

/// Documents that are rare in responses, and documents that trap in Foundation's decoder on Linux.
@Suite struct FoundationJSONTests {
  private final class Subclass: JSONDecoder, @unchecked Sendable {}

  private func settings(_ decoder: JSONDecoder = JSONDecoder(), isOpen: Bool = false) -> JSONDecoder {
    decoder.assumesTopLevelDictionary = isOpen
    return decoder
  }

  @Test(arguments: [511, 512, 513, 600])
  func deepDocumentThatBreaksOffIsRefused(depth: Int) throws {
    let arrays = String(repeating: "[", count: depth)
    for decoder in [settings(), settings(Subclass()), settings(isOpen: true), settings(Subclass(), isOpen: true)] {
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
    "[1]", "\"a\"",
    "\"a\":{\"b\":1}}{", "}", "{",
  ])
  func documentsWithoutBracesDecodeAsInFoundation(json: String) {
    // Foundation reads beyond a number at the end.
    #expect(jsonDifference(AnyJSONText.self, Data((json + "\n").utf8), settings(isOpen: true)) == nil)
    _ = try? FeatherJSONDecoder(settings(isOpen: true)).decode([String: Double].self, from: Data(json.utf8))
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
