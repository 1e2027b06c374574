import Foundation

/// The samples of a document, and the code that a test compiles them as.
///
/// Above each block of Swift in the document stands a comment with the names of the pieces that it is made of,
/// `<!-- sample: describe, send -->`. In a file of this folder each piece stands between `// sample: describe` and
/// `// end of sample`, under a name that no other piece has. A block that can't be compiled here, such as a part of a
/// manifest, says `<!-- no sample -->`.
enum Samples {
  /// A block of Swift in a document.
  struct Block: Equatable {
    /// The pieces that the block is made of; none for `<!-- no sample -->`; `nil` where there is no comment.
    var pieces: [String]?
    var code: String
  }

  /// The blocks of Swift of a Markdown document, in order.
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

  /// The same code with one space wherever there is white space, and none at its ends.
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
