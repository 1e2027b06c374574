public import Foundation

/// What the bytes of a stream are made into, while they come.
///
/// ```swift
/// for try await line in try await service.stream(RequestDataForLog(), as: .lines) { … }
/// ```
public struct StreamFormat<Element: Sendable>: Sendable {
  /// A parser at work on one stream. It is used by one reader, one call at a time.
  struct Decoder {
    /// Takes a piece of the stream.
    let append: (Data) -> Void
    /// Says that no piece follows.
    let finish: () -> Void
    /// The next complete element; `nil` where more bytes are needed, or at the end.
    let next: () throws -> Element?
  }

  /// The value of the `Accept` field, unless the request or the configuration sets one.
  public let accept: String
  let makeDecoder: @Sendable (JSONDecoder) -> Decoder

  /// Creates a format of a parser and of what is made of its elements.
  ///
  /// - Parameters:
  ///   - accept: the media types that it understands.
  ///   - makeParser: called for each stream.
  ///   - transform: makes the element; it is given the JSON decoder of the request or the configuration too. What it
  ///     throws ends the stream with an error of kind `.undecodableBody`.
  public init<Parser: StreamParser>(
    accept: String = "*/*", makeParser: @escaping @Sendable () -> Parser,
    transform: @escaping @Sendable (Parser.Element, JSONDecoder) throws -> Element
  ) {
    self.accept = accept
    makeDecoder = { json in
      var parser = makeParser()
      return Decoder(
        append: { parser.append($0) }, finish: { parser.finish() },
        next: { try parser.next().map { try transform($0, json) } })
    }
  }

  /// Creates a format of a parser's own elements.
  public init<Parser: StreamParser>(accept: String = "*/*", makeParser: @escaping @Sendable () -> Parser)
  where Parser.Element == Element {
    self.init(accept: accept, makeParser: makeParser) { element, _ in element }
  }
}
