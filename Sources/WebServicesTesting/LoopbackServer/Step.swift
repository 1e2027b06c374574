public import Foundation
public import WebServices

extension LoopbackServer {
  /// One step of an answer. A string literal is bytes that are sent as they are.
  public enum Step: Sendable {
    /// Sends a status line and fields. The reason is the usual one where none is given. `Connection` is added where
    /// the request makes the connection end or an HTTP/1.0 client wants to keep it; nothing else is.
    case head(status: Int, reason: String? = nil, headers: HTTPHeaders = [:])
    /// Sends a piece of the body as it is; nothing for HEAD.
    case body(Data)
    /// Sends a piece of the body as a chunk; nothing for HEAD or where the piece is empty.
    case chunk(Data)
    /// Sends the chunk that ends the body; nothing for HEAD.
    case lastChunk(trailers: HTTPHeaders = [:])
    /// Sends bytes as they are, whatever the request was.
    case bytes(Data)
    /// Sends bytes so many times, or without end.
    case repeated(Data, times: Int?)
    /// Waits for seconds.
    case delay(TimeInterval)
    /// Waits until the test opens the gate.
    case wait(Gate)
    /// Waits until the client goes or the server stops.
    case stall
    /// Sends what follows at so many bytes a second.
    case throttle(bytesPerSecond: Int)
    /// Waits until the whole request has come. Of use in an answer that begins before the body.
    case awaitBody
    /// Waits until so many bytes of the next request have come on the connection.
    case awaitNextRequest(bytes: Int)
    /// Waits until the next request has come whole on the connection, records it and leaves it without an answer.
    case swallowNextRequest
    /// Reads nothing more from the connection, so that the client's writing comes to a stop.
    case stopReading
    /// Reads again.
    case startReading
    /// Ends the sending direction and keeps the other open. Nothing is sent after it.
    case halfClose
    /// Closes the connection.
    case close
    /// Closes the connection with a reset.
    case reset
  }
}

extension LoopbackServer.Step: ExpressibleByStringLiteral {
  /// Creates a step that sends the text's UTF-8 as it is.
  public init(stringLiteral value: String) {
    self = .bytes(Data(value.utf8))
  }

  /// Sends the text's UTF-8 as it is, whatever the request was.
  public static func text(_ text: String) -> Self { .bytes(Data(text.utf8)) }
}
