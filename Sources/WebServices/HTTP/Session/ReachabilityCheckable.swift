/// Tells whether there is a network at all. A host of the machine's own is asked without it.
public protocol ReachabilityCheckable: Sendable {
  /// Whether a request has a chance to get out. Called on the thread that sends a request. While requests wait for the
  /// network or are sent again, it is called on a queue of the library's. If it blocks, they wait, and no others do.
  func isConnected() -> Bool
}
