import Foundation

/// Hides the values of secret JSON members and form fields in a text that may be cut anywhere, so that no parser of
/// whole documents could read it.
struct FieldRedactor {
  let redaction: Redaction

  func redact(_ text: String) -> String {
    var scanner = Scanner(bytes: Array(text.utf8), redaction: redaction)
    return String(decoding: scanner.run(), as: UTF8.self)
  }

  private struct Scanner {
    let bytes: [UInt8]
    let redaction: Redaction
    var position = 0
    var output: [UInt8] = []

    init(bytes: [UInt8], redaction: Redaction) {
      self.bytes = bytes
      self.redaction = redaction
    }

    mutating func run() -> [UInt8] {
      output.reserveCapacity(bytes.count)
      while position < bytes.count {
        if bytes[position] == UInt8(ascii: "\"") {
          scanString()
        } else if bytes[position].isFieldNameByte {
          scanWord()
        } else {
          copy(to: position + 1)
        }
      }
      return output
    }

    /// A JSON string; where it is a secret member's name, its value is hidden.
    private mutating func scanString() {
      let end = endOfString(from: position)
      let name = Scanner.unescaped(bytes[(position + 1)..<max(position + 1, end - 1)])
      copy(to: end)
      guard redaction.hides(field: name) else { return }
      var next = end
      while next < bytes.count, bytes[next].isSpace { next += 1 }
      guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else { return }
      next += 1
      while next < bytes.count, bytes[next].isSpace { next += 1 }
      copy(to: next)
      position = endOfValue(from: next)
      output += Array("\"\(Redaction.placeholder)\"".utf8)
    }

    /// A word outside of strings; where it is a secret form field's name, its value is hidden.
    private mutating func scanWord() {
      var end = position
      while end < bytes.count, bytes[end].isFieldNameByte { end += 1 }
      let name = String(decoding: bytes[position..<end], as: UTF8.self)
      copy(to: end)
      guard end < bytes.count, bytes[end] == UInt8(ascii: "="),
        redaction.hides(field: name.removingPercentEncoding ?? name)
      else { return }
      copy(to: end + 1)
      while position < bytes.count, !bytes[position].isSpace, bytes[position] != UInt8(ascii: "&"),
        bytes[position] != UInt8(ascii: "\"")
      {
        position += 1
      }
      output += Array(Redaction.placeholder.utf8)
    }

    private mutating func copy(to end: Int) {
      output += bytes[position..<end]
      position = end
    }

    private func endOfString(from start: Int) -> Int {
      var index = start + 1
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "\\") {
          index += 2
        } else if bytes[index] == UInt8(ascii: "\"") {
          return index + 1
        } else {
          index += 1
        }
      }
      return bytes.count
    }

    /// Where the value ends that starts here: a string, a number or word, or a whole object or array.
    private func endOfValue(from start: Int) -> Int {
      var index = start
      var depth = 0
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "\""):
          index = endOfString(from: index)
          if depth == 0 { return index }
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return index }
          depth -= 1
          if depth == 0 { return index + 1 }
        case UInt8(ascii: ","):
          if depth == 0 { return index }
        default:
          break
        }
        index += 1
      }
      return bytes.count
    }

    /// A member's name with its JSON escapes resolved, so that `"pass\u0077ord"` is found too.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.contains("\\") else { return text }
      var output = ""
      var rest = Substring(text)
      while let backslash = rest.firstIndex(of: "\\") {
        output += rest[..<backslash]
        rest = rest[rest.index(after: backslash)...]
        guard let escape = rest.popFirst() else { break }
        guard escape == "u", let code = UInt32(rest.prefix(4), radix: 16), let scalar = Unicode.Scalar(code)
        else {
          output.append(escape)
          continue
        }
        output.unicodeScalars.append(scalar)
        rest = rest.dropFirst(4)
      }
      return output + rest
    }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  fileprivate var isFieldNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "%"),
      UInt8(ascii: "."):
      true
    default:
      false
    }
  }
}
