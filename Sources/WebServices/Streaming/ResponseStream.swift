public import Foundation

/// A response whose body is read while it comes. It can be iterated once. The transport reads only as fast as the loop.
///
/// Leaving the loop, cancelling the Swift task or releasing the stream cancels the request. Every failure is thrown as
/// a ``WebServiceError``.
public struct ResponseStream<Element: Sendable>: AsyncSequence, Sendable {
  /// Status and headers of the response; its `body` is empty.
  public let response: WebServiceResponse
  /// The first iterator takes the reader, so that the request is cancelled with it, also while the stream is retained.
  private let reader: Locked<StreamReader<Element>?>

  init(response: WebServiceResponse, reader: StreamReader<Element>) {
    self.response = response
    self.reader = Locked(reader)
  }

  /// Creates a stream of bytes in memory, for fakes.
  ///
  /// - Parameters:
  ///   - response: the status and the headers. The body comes from `pieces`.
  ///   - pieces: the body, in the pieces in which it arrives.
  ///   - format: makes the elements.
  ///   - decoder: the decoder of a format that reads JSON.
  public init(
    response: WebServiceResponse, pieces: [Data], format: StreamFormat<Element>, decoder: JSONDecoder = JSONDecoder()
  ) {
    self.init(response: response, reader: StreamReader(pieces, of: response, as: format, FeatherJSONDecoder(decoder)))
  }

  /// An error with the facts of the request.
  func withFacts(_ error: WebServiceError) -> WebServiceError { reader.withLock { $0 }?.run?.withFacts(error) ?? error }

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator { Iterator(reader.withLock { $0.take() }) }

  /// Gives one element after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private var reader: StreamReader<Element>?
    private let isFirst: Bool

    init(_ reader: StreamReader<Element>?) {
      self.reader = reader
      isFirst = reader != nil
    }

    /// The next element; `nil` at the end of the stream.
    ///
    /// - Throws: a ``WebServiceError``.
    public mutating func next() async throws(WebServiceError) -> Element? { try await next(isolation: nil) }

    /// The next element, as `next()` returns it, but no element of a user who has signed out on the caller's actor.
    ///
    /// - Parameter actor: the caller's actor, which a loop passes. Elements are decoded away from the actor.
    /// - Throws: a ``WebServiceError``.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(WebServiceError) -> Element? {
      guard isFirst else { throw WebServiceError(.unexpected, message: "a stream can be iterated only once") }
      // Kept only after an element. At the end or after an error the reader is released, which ends the request.
      let reader = reader.take()
      var element = try await reader?.next()
      // After a sign-out the reader has nothing but its end.
      if reader?.run?.isOfFormerUser == true { element = try await reader?.next() }
      if element != nil { self.reader = reader }
      return element
    }
  }
}
