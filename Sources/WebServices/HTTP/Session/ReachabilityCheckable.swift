/// Tells whether there is a network at all. A host of the machine's own is asked without it.
public protocol ReachabilityCheckable: Sendable {
  /// Whether there is a network. The library calls this on the thread that sends a request. For requests that wait for
  /// a network or are retried, it calls this on its own queue. If the call blocks, only those requests wait.
  func isConnected() -> Bool
}
