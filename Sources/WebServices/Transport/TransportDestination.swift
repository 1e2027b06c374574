public import Foundation

/// Where the content of an answer goes.
public enum TransportDestination: Sendable {
  /// Collected into the response's `body`; an answer of more bytes (after decompression) fails as too large.
  case memory(limit: Int)
  /// Handed on in pieces; the response's `body` stays empty.
  case receiver(any TransportReceiver)

  /// 256 MiB: far above any sensible JSON answer, far below what would end the process.
  public static let defaultLimit = 256 * 1024 * 1024
}

/// Takes an answer in pieces. The calls come one at a time, on a thread of the transport's: an implementation only
/// stores or hands on, it never blocks and never runs a caller's code there.
public protocol TransportReceiver: AnyObject, Sendable {
  /// The final head of the answer; its `body` is empty.
  func didReceive(head: WebServiceResponse)
  /// The next piece. The transport reads no further until `proceed` has been called, from any thread.
  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void)
}
