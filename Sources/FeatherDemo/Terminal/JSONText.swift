import Foundation

/// Encodes a value for programs: one line of JSON with sorted keys. Control characters are escaped, because the line
/// may be shown on a terminal.
enum JSONText {
  static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    return Wording.replacingControls(in: text) { String(format: "\\u%04x", $0.value) }
  }
}
