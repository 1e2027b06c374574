public import WebServicesCore

/// A reachability check that a test controls. ``set(isConnected:)`` changes the result of ``isConnected()``.
public final class FakeReachability: ReachabilityCheckable {
  private let connected: Locked<Bool>

  /// Creates a check with an initial result.
  public init(isConnected: Bool = true) {
    connected = Locked(isConnected)
  }

  /// The value of the last call to ``set(isConnected:)``.
  public func isConnected() -> Bool { connected.withLock { $0 } }

  /// Changes the result.
  public func set(isConnected: Bool) {
    connected.withLock { $0 = isConnected }
  }
}
