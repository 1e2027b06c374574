import Foundation
import Testing
import WebServices

/// A description of any JSON, for comparing decoders.
struct AnyJSONText: Decodable, CustomStringConvertible {
  let description: String

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: JSONShapedKey.self) {
      let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
      description = try keys.map { "\($0.stringValue): \(try container.decode(AnyJSONText.self, forKey: $0))" }.joined(
        separator: ", ")
    } else if (try? decoder.unkeyedContainer()) != nil {
      description = "\(try [AnyJSONText](from: decoder))"
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        description = "null"
      } else if let bool = try? container.decode(Bool.self) {
        description = "\(bool)"
      } else if let integer = try? container.decode(Int.self) {
        description = "\(integer)"
      } else if let number = try? container.decode(Double.self) {
        description = "\(number)"
      } else {
        description = "\"\(try container.decode(String.self))\""
      }
    }
  }
}

@Suite struct JSONSuiteTests {
  @Test(arguments: JSONSuite.wellFormed)
  func wellFormedDocumentsAreDecoded(json: String) throws {
    _ = try FeatherJSONDecoder().decode(AnyJSONText.self, from: Data(json.utf8))
    // Foundation reads the exponent of 0e1 as a digit and finds the number too small.
    if !json.contains("0e1") { #expect(jsonDifference(AnyJSONText.self, Data(json.utf8)) == nil) }
  }

  @Test(arguments: JSONSuite.malformed)
  func malformedDocumentsAreRefused(json: String) {
    let hasComma = ["[1,]", "[\"\",]", "{\"id\":0,}", "{\"a\":\"b\",}"].contains(json)
    let outcome = JSONOutcome { try FeatherJSONDecoder().decode(AnyJSONText.self, from: Data(json.utf8)) }
    #expect(outcome.isFailure != hasComma, "\(outcome)")
    #expect(jsonDifference(AnyJSONText.self, Data(json.utf8)) == nil)
  }

  @Test(arguments: JSONSuite.open)
  func optionalCasesDecodeAsInFoundation(json: String) {
    #expect(jsonDifference(AnyJSONText.self, Data(json.utf8)) == nil)
  }

  @Test(arguments: JSONSuite.bytes)
  func invalidUTF8DecodesAsInFoundation(json: [UInt8]) {
    #expect(jsonDifference(AnyJSONText.self, Data(json)) == nil)
    #expect(jsonDifference(AnyJSONText.self, Data([0x22] + json)) == nil)
  }

  @Test(arguments: [511, 512, 513, 100_000])
  func depthLimitIs512(depth: Int) {
    struct Nothing: Decodable {}
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
      let count = depth / (open.count > 5 ? 2 : 1)
      let opened = String(repeating: open, count: count)
      // Foundation traps if the surplus bracket is the last byte.
      #expect(JSONOutcome { try FeatherJSONDecoder().decode(Nothing.self, from: Data(opened.utf8)) }.isFailure)
      for json in [opened + "  ", opened + "1" + String(repeating: close, count: count)] {
        #expect(jsonDifference(Nothing.self, Data(json.utf8)) == nil)
        #expect(jsonDifference([Nothing].self, Data(json.utf8)) == nil)
      }
    }
  }

  @Test func damagedDocumentsNeverTrap() {
    let json = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",true,null,{"b":{}}],"é":"😀","c":false} "#.utf8)
    for count in 0...json.count {
      #expect(jsonDifference(AnyJSONText.self, Data(json[..<count])) == nil)
      guard count < json.count else { continue }
      for byte: UInt8 in [0, 0x1F, 0x22, 0x2C, 0x5C, 0x5D, 0x7D, 0x80, 0xC3, 0xFF, 0x30, 0x65, 0x2D] {
        var changed = json
        changed[count] = byte
        #expect(jsonDifference(AnyJSONText.self, Data(changed)) == nil)
      }
    }
  }
}
