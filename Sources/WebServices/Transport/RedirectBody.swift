/// How much of a redirect's body is taken, and how long it is waited for, where the redirect is followed. A short body is
/// taken whole, since the connection can be used again then.
enum RedirectBody {
  /// In bytes.
  static let limit = 16 * 1024
  /// Seconds behind the head.
  static let patience = 0.2
}
