/// Tells whether there is a network. Requests to this machine need none.
public protocol ReachabilityCheckable: Sendable {
  /// Whether there is a network. The library calls this on the thread that sends a request. For requests that wait for
  /// a network or are retried, it calls this on its own queue. If the call blocks, only those requests wait.
  func isConnected() -> Bool
}
