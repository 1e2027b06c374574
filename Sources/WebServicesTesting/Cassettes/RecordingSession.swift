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
/// Secrets never reach the cassette. Header fields, query items, JSON members, form fields and multipart fields that
/// the redaction names are replaced by its placeholder. Every other occurrence of a secret value in the request is
/// replaced too. Compressed bodies and streams can't be searched, so they aren't recorded; the library decompresses
/// responses unless you set `Accept-Encoding`. A service sends with `transferTask(with:completion:)`; a request that you
/// send with `dataTask(with:completionHandler:)` isn't recorded.
public final class RecordingSession: WrappingSession {
  /// The session that sends.
  public let next: any URLSessionProtocol
  private let recorder: Recorder

  /// Creates a session around another session.
  ///
  /// - Parameters:
  ///   - next: the session that sends, such as `try DefaultSession.make().session`.
  ///   - redaction: the secrets to hide.
  ///   - limit: the most bytes of bodies to record. Later requests are still sent, but ``cassette()`` then throws.
  public init(_ next: any URLSessionProtocol, redaction: Redaction = .standard, limit: Int = 64 * 1024 * 1024) {
    self.next = next
    recorder = Recorder(redaction: redaction, limit: limit)
  }

  /// The requests that have ended, in the order in which they started.
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
    var copy: RecordingReceiver?
    if number != nil, let receiver = request.receiver {
      copy = RecordingReceiver(receiver, recorder)
      request.receiver = copy
    }
    return next.transferTask(with: request) { [recorder, copy] result in
      recorder.end(number, with: result, body: copy?.content)
      completion(result)
    }
  }
}

/// Passes the pieces of a streamed response to the request's receiver, and keeps a copy of the pieces for the recorder.
final class RecordingReceiver: TransportRequest.Receiver {
  private let receiver: any TransportRequest.Receiver
  private let recorder: Recorder
  /// Guards the copy: `didReceive` adds pieces on the transport's thread, and the completion reads them.
  private let copy = Locked(Data())

  init(_ receiver: any TransportRequest.Receiver, _ recorder: Recorder) {
    self.receiver = receiver
    self.recorder = recorder
  }

  var content: Data { copy.withLock { $0 } }

  func didReceive(head: WebServiceResponse) {
    receiver.didReceive(head: head)
  }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    copy.withLock { copy in
      guard copy.count + piece.count <= recorder.limit else { return recorder.noteOverLimit() }
      copy.append(piece)
    }
    receiver.didReceive(piece, proceed: proceed)
  }
}
