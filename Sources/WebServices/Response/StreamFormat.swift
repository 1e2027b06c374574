public import Foundation

/// What the bytes of a stream are made into, piece by piece.
///
/// ```swift
/// for try await line in try await service.stream(RequestDataForLog(), as: .lines) { … }
/// ```
public struct StreamFormat<Element: Sendable>: Sendable {
  /// Makes elements of one stream's bytes. It is used by one reader, one call at a time.
  public struct Decoder {
    /// Takes the next bytes and gives the elements that they complete.
    public let consume: (Data) throws -> [Element]
    /// Gives what is left at the end of the stream.
    public let finish: () throws -> [Element]

    /// Creates a decoder of two closures over a common state.
    public init(consume: @escaping (Data) throws -> [Element], finish: @escaping () throws -> [Element] = { [] }) {
      self.consume = consume
      self.finish = finish
    }
  }

  /// The value of the `Accept` field, unless the request or the configuration sets one.
  public let accept: String
  let makeDecoder: @Sendable (JSONDecoder) -> Decoder

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - accept: the media types that it understands.
  ///   - makeDecoder: called for each stream, with the JSON decoder of the request or the configuration.
  public init(accept: String = "*/*", makeDecoder: @escaping @Sendable (JSONDecoder) -> Decoder) {
    self.accept = accept
    self.makeDecoder = makeDecoder
  }
}

extension StreamFormat where Element == Data {
  /// The bytes as they come, after decompression, in pieces of no certain size.
  public static var data: StreamFormat {
    StreamFormat { _ in Decoder(consume: { $0.isEmpty ? [] : [$0] }) }
  }
}
