import Foundation

/// The samples of a document. `scripts/samples` says how a comment names them, and compiles them with the tests in the
/// folder `Samples`.
///
/// A sample of the folder `Examples` stands there once more, between `// sample: tracing` and `// end of sample`. A
/// block that can't be compiled, such as a part of a manifest, has the comment `<!-- no sample -->`.
enum DocumentSamples {
  /// A Swift block of a document.
  struct Block {
    /// The names of the block's samples; empty for `<!-- no sample -->`, and `nil` without a comment.
    var names: [String]?
    var code: String
  }

  /// The Swift blocks of a Markdown document, in order.
  static func blocks(inMarkdown document: String) -> [Block] {
    document.components(separatedBy: "\n```swift\n").reduce(into: ([Block](), "")) { result, text in
      if !result.1.isEmpty {
        result.0.append(Block(names: names(in: result.1), code: text.components(separatedBy: "\n```")[0]))
      }
      result.1 = text.components(separatedBy: "\n").last ?? ""
    }.0
  }

  private static func names(in comment: String) -> [String]? {
    if comment == "<!-- no sample -->" { return [] }
    let (start, end) = ("<!-- sample: ", " -->")
    guard comment.hasPrefix(start), comment.hasSuffix(end) else { return nil }
    // A number of paragraphs may follow a name.
    return comment.dropFirst(start.count).dropLast(end.count).components(separatedBy: ", ")
      .map { String($0.prefix { $0 != " " }) }
  }

  /// The names of the samples in a source, each with the code between its comments.
  static func samples(inSource source: String) -> [(name: String, code: String)] {
    source.components(separatedBy: "// sample: ").dropFirst().map { text in
      let name = String(text.prefix { $0 != "\n" })
      return (name, String(text.dropFirst(name.count).components(separatedBy: "// end of sample")[0]))
    }
  }

  /// Removes white space and slashes, because a document and an example break lines and comments at other columns.
  static func withoutLayout(_ code: String) -> String { code.filter { !$0.isWhitespace && $0 != "/" } }

  /// The lines inside the fences of a document, of any language.
  static func lines(inMarkdown document: String) -> [Substring] {
    let parts = document.components(separatedBy: "\n```")
    return parts.indices.filter { !$0.isMultiple(of: 2) }
      .flatMap { parts[$0].split(separator: "\n", omittingEmptySubsequences: false).dropFirst() }
  }
}
