import Foundation

/// The samples of a document, and the code with which a test compiles them.
///
/// A comment above each Swift block of the document names its pieces: `<!-- sample: describe, send -->`. A file of this
/// folder or of an example contains each piece between `// sample: describe` and `// end of sample`. The names of pieces are unique. A
/// block that can't be compiled, such as a part of a manifest, has the comment `<!-- no sample -->`.
enum Samples {
  /// A Swift block of a document.
  struct Block: Equatable {
    /// The names of the block's pieces; empty for `<!-- no sample -->`, and `nil` without a comment.
    var pieces: [String]?
    var code: String
  }

  /// The Swift blocks of a Markdown document, in order.
  static func blocks(inMarkdown document: String) -> [Block] {
    var blocks: [Block] = []
    var lineBefore = ""
    var open: (block: Block, lines: [String])?
    for line in lines(of: document) {
      if var (block, code) = open {
        if line == "```" {
          block.code = code.joined(separator: "\n")
          blocks.append(block)
          open = nil
        } else {
          code.append(line)
          open = (block, code)
        }
      } else if line == "```swift" {
        open = (Block(pieces: pieces(in: lineBefore), code: ""), [])
      }
      lineBefore = line
    }
    return blocks
  }

  /// A piece of code in a test file.
  struct Piece: Equatable {
    var name: String
    var code: String
  }

  /// The pieces of a test file, in order.
  static func pieces(inSource source: String) -> [Piece] {
    var pieces: [Piece] = []
    var open: (name: String, lines: [String])?
    for line in lines(of: source) {
      let text = line.trimmingCharacters(in: .whitespaces)
      if let (name, lines) = open, text == "// end of sample" {
        pieces.append(Piece(name: name, code: lines.joined(separator: "\n")))
        open = nil
      } else if text.hasPrefix("// sample: ") {
        open = (String(text.dropFirst("// sample: ".count)), [])
      } else {
        open?.lines.append(line)
      }
    }
    return pieces
  }

  /// Replaces white space in the code with single spaces, and removes it at both ends.
  static func withoutLayout(_ code: String) -> String {
    code.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func pieces(in comment: String) -> [String]? {
    if comment == "<!-- no sample -->" { return [] }
    let (start, end) = ("<!-- sample: ", " -->")
    guard comment.hasPrefix(start), comment.hasSuffix(end) else { return nil }
    return comment.dropFirst(start.count).dropLast(end.count).components(separatedBy: ", ")
  }
}
