public import Foundation
public import WebServicesCore

extension LoopbackServer {
  /// One step of a response. A string literal is text that is sent unchanged.
  public enum Step: Sendable {
    /// Sends a status line and header fields. `Connection` is added if the
    /// request ends the connection or an HTTP/1.0 client keeps it. No other field is added.
    case head(status: Int, headers: HTTPHeaders = [:])
    /// Sends a piece of the body; nothing for HEAD.
    case body(Data)
    /// Sends a piece of the body as a chunk; nothing for HEAD or an empty piece.
    case chunk(Data)
    /// Sends the last chunk; nothing for HEAD.
    case lastChunk(trailers: HTTPHeaders = [:])
    /// Sends bytes unchanged, even for HEAD.
    case bytes(Data)
    /// Sends a piece of the body repeatedly; nothing for HEAD. `nil` repeats without end.
    case repeated(Data, times: Int?)
    /// Waits this many seconds.
    case delay(TimeInterval)
    /// Waits until the test opens the gate.
    case wait(Gate)
    /// Waits until the client disconnects or the server stops.
    case never
    /// Limits the rate of everything that follows, in bytes per second.
    case throttle(bytesPerSecond: Int)
    /// Waits until this many bytes of the next request on the connection have arrived.
    case awaitNextRequest(bytes: Int)
    /// Waits for the next complete request on the connection, records it and sends no response.
    case swallowNextRequest
    /// Closes the connection.
    case close
    /// Closes the connection with a reset.
    case reset
  }
}

extension LoopbackServer.Step: ExpressibleByStringLiteral {
  /// Creates a step that sends the text as UTF-8, unchanged.
  public init(stringLiteral value: String) {
    self = .bytes(Data(value.utf8))
  }

  /// Sends the text as UTF-8, unchanged and even for HEAD.
  public static func text(_ text: String) -> Self { .bytes(Data(text.utf8)) }
}
