public import Foundation

/// The elements of a stream of data, by a parser: lines, JSON lines, server-sent events.
///
/// No more is read from the stream than the next element needs, so that a slow reader slows the server down.
public struct ParsedStream<Base: AsyncSequence, Parser: StreamParser>: AsyncSequence where Base.Element == Data {
  /// What the parser gives out.
  public typealias Element = Parser.Element

  private let base: Base
  private let parser: Parser

  /// Creates the sequence of a stream's elements.
  public init(_ base: Base, parser: Parser) {
    self.base = base
    self.parser = parser
  }

  /// Starts to read the stream.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), parser: parser)
  }

  /// Reads the stream from element to element.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    private var parser: Parser
    private var isFinished = false

    init(base: Base.AsyncIterator, parser: Parser) {
      self.base = base
      self.parser = parser
    }

    /// The next element; `nil` at the end.
    ///
    /// - Throws: what the stream throws, and `StreamLimitError`.
    public mutating func next() async throws -> Parser.Element? {
      while true {
        if let element = try parser.next() { return element }
        guard !isFinished else { return nil }
        if let data = try await base.next() {
          parser.append(data)
        } else {
          isFinished = true
          parser.finish()
        }
      }
    }
  }
}

extension ParsedStream: Sendable where Base: Sendable {}
