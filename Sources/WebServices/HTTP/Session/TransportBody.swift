public import Foundation

/// The body of a request as a transport sends it.
public enum TransportBody: Sendable, DescriptionOnly {
  /// An empty body. A transport sends no `Content-Length` for it unless the method demands one.
  case none
  /// Bytes in memory.
  case data(Data)
  /// The content of a file, read while it is sent.
  case file(URL)
  /// Bytes that are made while they are sent.
  case stream(any TransportBody.Stream)

  /// Whether the same bytes can be sent again, for a redirect or a retry.
  public var isReplayable: Bool { if case .stream(let stream) = self { stream.isReplayable } else { true } }

  /// A source of bytes for a request's body.
  public protocol Stream: Sendable {
    /// The number of bytes, or `nil` if it isn't known in advance; the body is then sent in chunks. The request fails
    /// if the reader returns fewer or more bytes: after the last byte the transport tries to read one more.
    var length: Int64? { get }
    /// Whether ``makeReader()`` can be called more than once and gives the same bytes each time.
    var isReplayable: Bool { get }
    /// Opens the bytes for one transfer. Never called on the transport's thread.
    ///
    /// - Throws: your own error, which ends the transfer with a ``TransportError`` of kind `.file`.
    func makeReader() throws -> any TransportBody.Reader
  }

  /// Reads the bytes of a body once, from the first to the last. ``TransportBody/Stream/makeReader()`` makes a reader
  /// for each time that the body is sent.
  ///
  /// The calls come one at a time, never on the transport's thread, and may block.
  public protocol Reader: Sendable {
    /// The next bytes, at most `count`; empty at the end.
    ///
    /// - Throws: your own error, which ends the transfer with a ``TransportError`` of kind `.file`.
    func read(upTo count: Int) throws -> Data
    /// Releases the reader's resources. Called once, also if the transfer ended before the last byte.
    func close()
  }

  /// Opens a body, which may block; `nil` for a body in memory.
  package func makeReader() throws -> CountedReader? {
    switch self {
    case .none, .data: nil
    case .file(let url): try CountedReader(FileBodyStream(url))
    case .stream(let stream): try CountedReader(stream)
    }
  }

  /// The bytes of a body in memory; `nil` for any other body.
  package var data: Data? {
    switch self {
    case .none: Data()
    case .data(let data): data
    case .file, .stream: nil
    }
  }

  /// The bytes of a body that are in memory, up to a number of them.
  func bytesInMemory(upTo limit: Int) -> Data {
    if case .stream(let stream as any PartlyInMemory) = self { return stream.bytesInMemory(upTo: limit) }
    return Data((data ?? Data()).prefix(limit))
  }

  /// Whether the body is known to have no bytes.
  package var isEmpty: Bool { data?.isEmpty == true }

  /// The kind and the size, and no byte of the content.
  public var description: String {
    switch self {
    case .none: "none"
    case .data(let data): "\(data.count) bytes"
    case .file(let url): "the file \(url.path)"
    case .stream(let stream): stream.length.map { "a stream of \($0) bytes" } ?? "a stream"
    }
  }
}

/// A stream that has some of its bytes in memory, in which the secrets of a request are searched.
package protocol PartlyInMemory: TransportBody.Stream {
  /// The bytes in memory, up to a number of them.
  func bytesInMemory(upTo limit: Int) -> Data
}

/// A body reader whose `read` may wait for bytes that never come. A transport interrupts the reader when the transfer
/// ends.
package protocol InterruptibleBodyReader: TransportBody.Reader {
  /// Ends a read that waits, which then fails. It may be called on any thread and at any time, also more than once.
  func interrupt()
}

/// An error that says in words why a body can't be sent, signed or written to a file. A failure that an app can tell
/// from others is a `RequestBodyError`.
package struct BodyFailure: DescribedByLibrary {
  package let description: String

  package init(description: String) { self.description = description }
}
