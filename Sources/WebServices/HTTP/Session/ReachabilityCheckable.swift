/// Tells whether there is a network. Requests to this machine need none, nor do those over a socket or a
/// proxy of this machine.
public protocol ReachabilityCheckable: Sendable {
  /// Whether there is a network. Return at once: the library calls this on the thread that sends a request, and on
  /// threads that other requests wait for.
  func isConnected() -> Bool
}
