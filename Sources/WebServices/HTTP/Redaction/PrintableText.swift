extension String {
  /// The text with its control characters written as `\u{1b}`, so that a server's text can't control a terminal. Line
  /// breaks and tabs stay.
  package var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return reduce(into: "") { output, character in
      // CRLF is one `Character`.
      let isKept = character == "\n" || character == "\r\n" || character == "\t"
      for scalar in character.unicodeScalars { output += scalar.isControl && !isKept ? scalar.escaped : "\(scalar)" }
    }
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may obey the character instead of showing it: C0, DEL and C1, a separator of lines, or an
  /// override of the text's direction.
  package var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The character as a literal of Swift: `\u{1b}`.
  package var escaped: String { "\\u{\(String(value, radix: 16))}" }
}
