public import Foundation
public import WebServicesCore

/// Requests and responses that a ``RecordingSession`` recorded and a ``ReplayingSession`` replays.
///
/// A cassette is stored as HAR 1.2, which browsers, Proxyman, Charles and mitmproxy also read and write. Bodies that
/// are text are stored as text. A recording has none of the secrets that its `Redaction` names; an export may have
/// secrets, which ``redacted(by:)`` hides.
public struct Cassette: Hashable, Sendable {
  /// A request and what came of it: a response, a failure, or a failure after a part of a response.
  public struct Exchange: Hashable, Sendable {
    /// The request.
    public var request: Request
    /// The response; `nil` if none arrived.
    public var response: Response?
    /// The reason why the request failed.
    public var failure: Failure?
    /// When the request started, in the words of the file.
    var started = "1970-01-01T00:00:00.000Z"
    /// How long the request took, in milliseconds.
    var time = 0.0
  }

  /// A request.
  public struct Request: Hashable, Sendable {
    /// The method.
    public var method = HTTPMethod.get
    /// The URL.
    public var url: String
    /// The header fields.
    public var headers = HTTPHeaders()
    /// The body.
    public var body = Body.none
  }

  /// A response.
  public struct Response: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers = HTTPHeaders()
    /// The body.
    public var body = Body.none
    /// Whether the transport has decoded the body: another entity tag and length than the server's.
    var isDecoded = false
  }

  /// The reason why a request failed. A request that was cancelled waits in a replay until it is cancelled again.
  public struct Failure: Hashable, Sendable {
    /// The kind of the error.
    public var kind: TransportError.Kind
    /// The error's message.
    public var message: String
    /// Whether the server may have seen the request.
    public var mayHaveReachedServer: Bool
    /// Whether a kept connection was closed, so that a service sends the request again.
    var isStaleConnection = false
  }

  /// The body of a request or a response.
  public struct Body: Hashable, Sendable {
    /// The bytes.
    public var data = Data()
    /// The reason why the file lacks the body. A response with such a body is replayed as a failure.
    public var omission: String?

    static let none = Body()

    /// The bytes as UTF-8; `nil` if they aren't readable text.
    public var text: String? {
      guard let text = String(data: data, encoding: .utf8) else { return nil }
      let isReadable = text.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && $0.value != 0x7F || "\t\r\n".unicodeScalars.contains($0)
      }
      // Decoding may drop a byte order mark.
      return isReadable && text.utf8.count == data.count ? text : nil
    }
  }

  /// The requests in the order in which they started.
  public var exchanges: [Exchange]
}

extension Cassette.Request: DescriptionOnly {
  /// The path of the URL, still percent-encoded.
  public var path: String {
    guard let path = try? URLReference(url).path, path.hasPrefix("/") else { return "/" }
    return String(path)
  }

  /// The method and the URL, without the secrets of an export.
  public var description: String { "\(method) \(Redaction.standard.url(url))" }
}
