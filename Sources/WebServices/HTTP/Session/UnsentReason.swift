/// Why a request ended unsent: it was waiting for a connection, for its turn or for a network. The message of the
/// request's error names the wait.
///
/// Indirect, so that states and errors copy one word.
package indirect enum UnsentReason: Hashable, Sendable {
  /// The connection is being made, or the request is being prepared.
  case connecting
  /// The request waits for a connection to its origin, which may have `limit` connections.
  case connection(origin: String, limit: Int)
  /// The request waits for the end of another request to its origin, whose connections carry `limit` requests at a time
  /// (HTTP/2).
  case stream(origin: String, limit: Int)
  /// The request waits for its turn at a host, which may be sent `limit` requests at a time.
  case turn(host: String, limit: Int?)
  /// The request waits for a network.
  case network

  /// The wait in words.
  package var message: String {
    let cause =
      switch self {
      case .connecting: "its connection had not been made yet"
      case .connection(let origin, let limit): "it waited for a connection, and \(origin) may have \(limit) at a time"
      case .stream(let origin, let limit):
        "it waited for another request to end, and \(origin) may have \(limit) under way at a time"
      case .turn(let host, let limit?): "it waited for its turn, and \(host) may be sent \(limit) at a time"
      case .turn(let host, nil): "it waited for its turn at \(host)"
      case .network: "it waited for a network"
      }
    return "the request was not sent: \(cause)"
  }

  /// Whether the library tried to reach the server. Other waits count as no attempt.
  package var isAttempt: Bool { self == .connecting }
}

/// A task that can be withdrawn as long as no byte of its request has been sent. At a timeout or a cancel, the engine
/// withdraws the task to learn whether the request was sent.
package protocol WithdrawableTask: URLSessionTaskProtocol {
  /// Cancels the task if no byte of its request has been sent, so that none ever is.
  ///
  /// - Returns: the reason for the wait; `nil` if the request may have been sent, and the task continues.
  func withdraw() -> UnsentReason?
}
