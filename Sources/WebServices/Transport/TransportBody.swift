public import Foundation

/// The content of a request on its way out.
public enum TransportBody: Sendable {
  /// No content; a transport sends no `Content-Length` for it except where the method demands one.
  case none
  /// Bytes in memory.
  case data(Data)
  /// The content of a file, read while it is sent.
  case file(URL)
  /// Bytes that are made while they are sent.
  case stream(any TransportBodyStream)

  /// Whether the same bytes can be sent again, for a redirect or a retry.
  public var isReplayable: Bool {
    switch self {
    case .none, .data, .file: true
    case .stream(let stream): stream.isReplayable
    }
  }
}

/// A source of bytes for a request's body.
public protocol TransportBodyStream: Sendable {
  /// The number of bytes, or `nil` where it isn't known before the end (they then go out chunked). The request fails
  /// where the reader gives fewer or more: behind the last byte it is asked for one more.
  var length: Int64? { get }
  /// Whether `makeReader()` can be called more than once and gives the same bytes each time.
  var isReplayable: Bool { get }
  /// Opens the bytes for one sending. Never called on the transport's thread.
  func makeReader() throws -> any TransportBodyReader
}

/// One pass over the bytes of a body. The calls come one at a time, never on the transport's thread, and may block.
public protocol TransportBodyReader: Sendable {
  /// The next bytes, at most `count`; empty at the end.
  func read(upTo count: Int) throws -> Data
  /// Releases what the reader holds. Called once, also when the exchange ended before the last byte.
  func close()
}
