import Foundation

/// Formats JSON for reading: each member and each element gets its own line. Only white space changes. Names, strings,
/// numbers and their order stay byte for byte as the server sent them.
struct JSONLayout {
  /// The deepest nesting that `pretty` accepts.
  static let maximumDepth = 256

  /// Formats the bytes; `nil` if they aren't valid JSON (RFC 8259) or are nested too deeply.
  static func pretty(_ data: Data) -> String? {
    var layout = JSONLayout(input: Array(data))
    guard layout.run() else { return nil }
    return String(validatingUTF8Bytes: layout.output)
  }

  /// The token that must come next. After a value comes `commaOrEnd`, or `nothing` outside all containers. After an
  /// opening bracket comes `nameOrEnd` or `valueOrEnd`, after a name `colon`, and after a colon `value`.
  private enum Expected { case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd, nothing }

  private let input: [UInt8]
  private var position = 0
  private var output: [UInt8] = []
  /// The missing closing brackets of the open containers, the innermost last.
  private var ends: [UInt8] = []
  private var expected = Expected.value

  private init(input: [UInt8]) {
    self.input = input
    output.reserveCapacity(input.count * 2)
  }

  /// Formats the whole input; `false` if the input isn't valid JSON or is nested too deep.
  private mutating func run() -> Bool {
    while position < input.count {
      let byte = input[position]
      if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
        position += 1
      } else if !append(byte) {
        return false
      }
    }
    return expected == .nothing
  }

  /// Copies or formats the token that begins with the byte; `false` if another token is expected.
  private mutating func append(_ byte: UInt8) -> Bool {
    switch (expected, byte) {
    case (.colon, UInt8(ascii: ":")):
      emit(": ")
      expected = .value
    case (.commaOrEnd, UInt8(ascii: ",")):
      emit(",")
      breakLine()
      expected = ends.last == UInt8(ascii: "}") ? .name : .value
    case (.commaOrEnd, ends.last), (.nameOrEnd, ends.last), (.valueOrEnd, ends.last):
      return close(byte)
    case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
      startContent()
      guard copyString() else { return false }
      expected = .colon
      return true
    case (.value, _), (.valueOrEnd, _):
      startContent()
      return appendValue(byte)
    default:
      return false
    }
    position += 1
    return true
  }

  /// Breaks the line after an opening bracket. An empty container stays on one line.
  private mutating func startContent() {
    if expected == .nameOrEnd || expected == .valueOrEnd { breakLine() }
  }

  private mutating func appendValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"): return open(end: UInt8(ascii: "}"), byte)
    case UInt8(ascii: "["): return open(end: UInt8(ascii: "]"), byte)
    case UInt8(ascii: "\""): guard copyString() else { return false }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): guard copyNumber() else { return false }
    default: guard ["true", "false", "null"].contains(where: { copy($0) }) else { return false }
    }
    expected = ends.isEmpty ? .nothing : .commaOrEnd
    return true
  }

  private mutating func open(end: UInt8, _ byte: UInt8) -> Bool {
    guard ends.count < Self.maximumDepth else { return false }
    output.append(byte)
    ends.append(end)
    expected = end == UInt8(ascii: "}") ? .nameOrEnd : .valueOrEnd
    position += 1
    return true
  }

  private mutating func close(_ byte: UInt8) -> Bool {
    ends.removeLast()
    if expected == .commaOrEnd { breakLine() }
    output.append(byte)
    expected = ends.isEmpty ? .nothing : .commaOrEnd
    position += 1
    return true
  }

  private mutating func emit(_ text: StaticString) {
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  private mutating func breakLine() {
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * ends.count))
  }
}

// MARK: - Tokens, copied as they are

extension JSONLayout {
  private mutating func copyString() -> Bool {
    var index = position + 1
    while index < input.count, input[index] != UInt8(ascii: "\"") {
      // Control characters must be escaped (RFC 8259, section 7).
      guard input[index] >= 0x20 else { return false }
      if input[index] == UInt8(ascii: "\\") {
        index += 1
        guard index < input.count, "\"\\/bfnrtu".utf8.contains(input[index]) else { return false }
        if input[index] == UInt8(ascii: "u") {
          let digits = input[(index + 1)...].prefix(4).prefix { Character(Unicode.Scalar($0)).isHexDigit }
          guard digits.count == 4 else { return false }
          index += 4
        }
      }
      index += 1
    }
    guard index < input.count else { return false }
    return copy(to: index + 1)
  }

  private mutating func copyNumber() -> Bool {
    var index = position
    func skipDigits() -> Bool {
      let first = index
      while index < input.count, (0x30...0x39).contains(input[index]) { index += 1 }
      return index > first
    }
    if input[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    // A number has no leading zero (RFC 8259, section 6).
    guard skipDigits(), input[first] != UInt8(ascii: "0") || index == first + 1 else { return false }
    if index < input.count, input[index] == UInt8(ascii: ".") {
      index += 1
      guard skipDigits() else { return false }
    }
    if index < input.count, input[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < input.count, input[index] == UInt8(ascii: "+") || input[index] == UInt8(ascii: "-") { index += 1 }
      guard skipDigits() else { return false }
    }
    return copy(to: index)
  }

  private mutating func copy(_ word: String) -> Bool {
    guard input[position...].starts(with: word.utf8) else { return false }
    return copy(to: position + word.utf8.count)
  }

  private mutating func copy(to end: Int) -> Bool {
    output.append(contentsOf: input[position..<end])
    position = end
    return true
  }
}

extension String {
  /// Decodes UTF-8; `nil` if the bytes are invalid.
  init?(validatingUTF8Bytes bytes: some Collection<UInt8>) {
    guard let text = String(data: Data(bytes), encoding: .utf8) else { return nil }
    self = text
  }
}
