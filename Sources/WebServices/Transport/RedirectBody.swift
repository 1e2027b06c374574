/// Limits for the body of a redirect that is followed. A short body is received whole, so that the connection can be
/// used again.
enum RedirectBody {
  /// The most bytes that are received.
  static let limit = 16 * 1024
  /// The longest wait for the end of the body, in seconds after the head.
  static let longestWait = 0.2
}
