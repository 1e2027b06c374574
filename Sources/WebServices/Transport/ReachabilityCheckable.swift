/// Tells whether there is a network at all. A host of the machine's own is asked without it.
public protocol ReachabilityCheckable: Sendable {
  /// Whether a request has a chance to get out. Called for each request on the thread that sends it, and on any other
  /// while one waits for the network or is sent again: it must not block.
  func isConnected() -> Bool
}
