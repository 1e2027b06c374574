public import Foundation

/// Describes how the bytes of a stream become elements while they come.
///
/// ```swift
/// for try await line in try await service.stream(RequestDataForLog(), as: .lines) { … }
/// ```
public struct StreamFormat<Element: Sendable>: Sendable {
  /// A parser at work on one stream. One reader uses it, one call at a time.
  struct Decoder {
    let append: (Data) -> Void
    let finish: () -> Void
    let next: () throws -> Element?
  }

  /// The value of the `Accept` field, unless the request or the configuration sets one.
  public let accept: String
  let makeDecoder: @Sendable (JSONDecoder) -> Decoder

  /// Creates a format of a parser and a closure that transforms its elements.
  ///
  /// - Parameters:
  ///   - accept: the media types of the format.
  ///   - makeParser: called for each stream.
  ///   - transform: makes the element, with the JSON decoder of the request or the configuration. An error that it throws
  ///     ends the stream with an error of kind `.undecodableBody`.
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

  /// Creates a format with the elements of a parser.
  public init<Parser: StreamParser>(accept: String = "*/*", makeParser: @escaping @Sendable () -> Parser)
  where Parser.Element == Element {
    self.init(accept: accept, makeParser: makeParser) { element, _ in element }
  }

  private init(accept: String, makeDecoder: @escaping @Sendable (JSONDecoder) -> Decoder) {
    self.accept = accept
    self.makeDecoder = makeDecoder
  }

  /// A format that transforms the elements of this one. An error that `transform` throws ends the stream with an error of
  /// kind `.undecodableBody`.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Other
  ) -> StreamFormat<Other> {
    StreamFormat<Other>(accept: accept) { [makeDecoder] json in
      let base = makeDecoder(json)
      return StreamFormat<Other>.Decoder(
        append: base.append, finish: base.finish, next: { try base.next().map(transform) })
    }
  }
}
