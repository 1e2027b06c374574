public import Foundation

/// Makes lines of a stream of UTF-8 text.
///
/// A line ends with LF, CR or CRLF; the end isn't part of it. The last line may lack its end. A byte order mark before
/// the first line is left out, and what isn't UTF-8 becomes U+FFFD.
public struct LineParser: StreamParser {
  /// The limit where none is named: 1 MiB.
  public static let defaultLimit = 1 << 20

  private var splitter: LineSplitter

  /// Creates a parser.
  ///
  /// - Parameter limit: the longest line in bytes, its end not counted.
  public init(limit: Int = LineParser.defaultLimit) {
    splitter = LineSplitter(ending: .any, limit: limit)
  }

  /// Takes a piece of the stream.
  public mutating func append(_ data: Data) {
    splitter.append(data)
  }

  /// Says that no piece follows.
  public mutating func finish() {
    splitter.finish()
  }

  /// The next line; `nil` where more bytes are needed, or at the end.
  ///
  /// - Throws: `StreamLimitError` where a line is longer than allowed.
  public mutating func next() throws -> String? {
    try splitter.next { String(decoding: $0, as: UTF8.self) }
  }
}
