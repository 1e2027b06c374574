import Foundation

/// Quoting for a POSIX shell (Shell Command Language, section 2.2).
enum ShellWord {
  /// The text as one word that means itself: in apostrophes, which keep all but an apostrophe as it is.
  static func quoted(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy(\.isPlainInShell)
    return isPlain ? text : "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  /// Whether the text can stand in a command line that is typed or pasted: with no control character but a line feed.
  static func canHold(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)) }
  }

  /// A format of `printf` that gives these bytes, as a quoted word of printable ASCII.
  static func printfFormat(_ bytes: some Sequence<UInt8>) -> String {
    var output: [UInt8] = [UInt8(ascii: "'")]
    for byte in bytes {
      switch byte {
      // It would begin an option.
      case UInt8(ascii: "-") where output.count == 1: output += Array("\\055".utf8)
      case UInt8(ascii: "%"): output += Array("%%".utf8)
      case UInt8(ascii: "\\"): output += Array("\\\\".utf8)
      case 0x0A: output += Array("\\n".utf8)
      case 0x0D: output += Array("\\r".utf8)
      case 0x09: output += Array("\\t".utf8)
      case 0x20...0x7E where byte != UInt8(ascii: "'"): output.append(byte)
      default: output += [UInt8(ascii: "\\"), digit(byte >> 6), digit(byte >> 3 & 7), digit(byte & 7)]
      }
    }
    return String(decoding: output + [UInt8(ascii: "'")], as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 { UInt8(ascii: "0") + value }
}

extension UInt8 {
  fileprivate var isPlainInShell: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "/"), UInt8(ascii: ":"):
      true
    default:
      false
    }
  }
}
