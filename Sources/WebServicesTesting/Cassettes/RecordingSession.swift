import Foundation
public import WebServicesCore

/// Sends requests with another session, and records the requests and responses for a ``ReplayingSession``.
///
/// ```swift
/// let session = RecordingSession(try DefaultSession.make().session)
/// let service = JsonWebService(session: session)
/// // … requests, and when they have ended:
/// try session.cassette().write(to: URL(fileURLWithPath: "sign-in.har"))
/// ```
///
/// Header fields, query items, JSON members, form fields and multipart fields that the redaction names are replaced by
/// its placeholder. Every other occurrence of a secret value in the request is replaced too, and in all responses the
/// token of a request's header field. A picture or another binary body is searched for these values alone. Name other
/// secrets, such as a refresh token that your server calls `refresh`.
/// Compressed bodies and streams can't be searched, so they aren't recorded; the library decompresses responses unless
/// you set `Accept-Encoding`. A service sends with `transferTask(with:completion:)`; a request that you send with
/// `dataTask(with:completionHandler:)` isn't recorded.
public final class RecordingSession: WrappingSession {
  /// The session that sends.
  public let next: any URLSessionProtocol
  private let recorder: Recorder

  /// Creates a session around another session.
  ///
  /// - Parameters:
  ///   - next: the session that sends, such as `try DefaultSession.make().session`.
  ///   - redaction: the secrets to hide.
  ///   - limit: the most bytes to record: bodies, and 1 KB for each request. Above the limit or 10,000 requests, the
  ///     session still sends, and ``cassette()`` throws.
  public init(_ next: any URLSessionProtocol, redaction: Redaction = .standard, limit: Int = 64 * 1024 * 1024) {
    // The cassette ends its session, and a service may send on.
    self.next = next.guarded
    recorder = Recorder(redaction: redaction, limit: limit)
  }

  /// The requests that have ended, in the order in which they started. A stream or a download that has received its
  /// head is among them, with the bytes so far.
  ///
  /// - Throws: ``CassetteError/tooLarge(limit:)`` if the recording exceeded the limit.
  public func cassette() throws(CassetteError) -> Cassette { try recorder.cassette() }

  /// Prepares the transfer with the next session. The next session calls the completion, on its own thread or queue.
  public func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    let number = recorder.begin(request)
    var request = request
    if let number, let receiver = request.receiver {
      request.receiver = RecordingReceiver(receiver, recorder, number)
    }
    return next.transferTask(with: request) { [recorder] result in
      recorder.end(number, with: result)
      completion(result)
    }
  }
}

/// Passes a streamed response to the request's receiver, and records it.
private final class RecordingReceiver: TransportRequest.Receiver {
  private let receiver: any TransportRequest.Receiver
  private let recorder: Recorder
  private let number: Int

  init(_ receiver: any TransportRequest.Receiver, _ recorder: Recorder, _ number: Int) {
    (self.receiver, self.recorder, self.number) = (receiver, recorder, number)
  }

  func didReceive(head: WebServiceResponse) {
    recorder.receive(head: head, of: number)
    receiver.didReceive(head: head)
  }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    recorder.receive(piece, of: number)
    receiver.didReceive(piece, proceed: proceed)
  }
}
