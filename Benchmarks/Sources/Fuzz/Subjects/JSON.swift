import Foundation
import WebServices

extension Subject {
  static let json: [Subject] = [
    Subject("DecodingFailure", weight: 20, samples: jsonSamples, words: jsonWords) { input in
      describe(input.data, &input.chance)
    },
    Subject("JSONValue", weight: 15, samples: jsonSamples, words: jsonWords) { input in
      guard let value = try? JSONDecoder().decode(JSONValue.self, from: input.data) else { return }
      _ = value["name"]?[3]?.integer
      let encoded = try? JSONEncoder().encode(value)
      let again = encoded.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
      try Finding.check(encoded == nil || again == value, "\(value) comes back as \(again as Any)")
    },
    Subject("FeatherJSONDecoder", weight: 15, samples: jsonSamples, words: jsonWords) { input in
      let (mark, encoding) = input.chance.pick(marks) ?? ([], .utf8)
      _ = try? FeatherJSONDecoder().decode(JSONValue.self, from: mark + input.bytes)
      // A zero or a mark in the text could make it look like text in another encoding.
      guard input.text.utf8.elementsEqual(input.bytes), !input.bytes.contains(0), !input.bytes.starts(with: marks[0].0),
        let other = input.text.data(using: encoding)
      else { return }
      let value = try? FeatherJSONDecoder().decode(JSONValue.self, from: input.bytes)
      let again = try? FeatherJSONDecoder().decode(JSONValue.self, from: Data(mark) + other)
      try Finding.check(value == again, "\(value as Any) comes back as \(again as Any) in \(encoding)")
    },
    Subject("ProblemDetails", samples: problemSamples + jsonSamples, words: jsonWords) { input in
      let url = URL(fileURLWithPath: "/")
      let headers: HTTPHeaders = ["Content-Type": "application/problem+json"]
      let response = WebServiceResponse(
        statusCode: input.chance.below(1000), headers: headers, url: url, body: input.data)
      guard let problem = ProblemDetails(response: response) else { return }
      _ = "\(problem) \(problem.errorDescription ?? "") \(problem.failureReason ?? "") \(problem["balance"] as Any)"
    },
  ]

  /// The byte order marks, and the encodings that they announce.
  private static let marks: [([UInt8], String.Encoding)] = [
    ([0xEF, 0xBB, 0xBF], .utf8), ([0xFE, 0xFF], .utf16BigEndian), ([0xFF, 0xFE], .utf16LittleEndian),
    ([0x00, 0x00, 0xFE, 0xFF], .utf32BigEndian), ([0xFF, 0xFE, 0x00, 0x00], .utf32LittleEndian),
  ]
  static let jsonSamples = [
    """
    {"id": "7", "parent": "x", "name": "Corner", "count": 3, "price": 1.25, "opened": 712345678.5, "site": "https://a.b/c",
     "kind": "small", "tags": ["a", "b"], "stock": {"apple": 3, "pear": 0}, "owner": {"name": "Ada", "age": 36, "id": null},
     "more": [1, -2.5e3, true, null, "\\u00e9\\ud83d\\ude00", {"deep": [[[]]]}]}
    """,
    """
    {"id":"9007199254740993","name":"","count":-1,"price":0,"opened":0,"kind":"large","tags":[],"stock":{}}
    """,
    "[[[[{\"a\":[{\"b\":null}]}]]]]", "\"text\"", "12.5e-3", "{\"id\": \"1\", \"name\": 2}", "{}", "[]",
    "{\"password\": \"hidden\", \"name\": 5, \"count\": \"3\"}",
  ]
  static let jsonWords = [
    "\"name\"", "\"count\":", "\"tags\":[", "\"owner\":{", "{\"", "[{", "}]", "[[[[[[[[", "]]]]", "{\"a\":", "\\u0000",
    "\\ud800", "\\\"", "\\", "-", "e", "1e", ".5", "00", "\"\"", "tru", "nul", "{\"more\":",
  ]
  private static let problemSamples = [
    """
    {"type":"https://example.com/probs/out-of-credit","title":"You do not have enough credit.","status":403,
     "detail":"Your current balance is 30.","instance":"/account/12345/msgs/abc","balance":30,"accounts":["/a","/b"]}
    """
  ]

  /// Describes the decoder's own errors for the input, and errors of other decoders.
  private static func describe(_ data: Data, _ chance: inout SeededGenerator) {
    do {
      _ = try JSONDecoder().decode(Shop.self, from: data)
    } catch let error as DecodingError {
      describe(error, data)
    } catch {}
    guard chance.once(in: 2) else { return }
    let context = DecodingError.Context(codingPath: path(&chance), debugDescription: "said by chance")
    switch chance.below(4) {
    case 0: describe(.keyNotFound(AnyStep(stringValue: "name"), context), data)
    case 1: describe(.typeMismatch(Int.self, context), data)
    case 2: describe(.valueNotFound(String.self, context), data)
    default: describe(.dataCorrupted(context), data)
    }
  }

  private static func describe(_ error: DecodingError, _ data: Data) {
    let failure = DecodingFailure(error, in: data)
    _ = "\(failure) \(failure.excerpt) \(failure.line) \(failure.column) \(failure.found ?? "")"
  }

  private static func path(_ chance: inout SeededGenerator) -> [any CodingKey] {
    let steps = [
      AnyStep(stringValue: "owner"), AnyStep(stringValue: "more"), AnyStep(stringValue: "tags"),
      AnyStep(stringValue: ""),
      AnyStep(intValue: 0), AnyStep(intValue: 5), AnyStep(intValue: -1), AnyStep(intValue: .max),
      AnyStep(intValue: .min),
      AnyStep(stringValue: "a"), AnyStep(stringValue: "deep"),
    ]
    return (0..<chance.below(6)).compactMap { _ in chance.pick(steps) }
  }
}
