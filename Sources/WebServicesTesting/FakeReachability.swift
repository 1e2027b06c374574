public import WebServices

/// A network that is there or not as a test says.
public final class FakeReachability: ReachabilityCheckable {
  private let connected: Locked<Bool>

  /// Creates a network.
  public init(isConnected: Bool = true) {
    connected = Locked(isConnected)
  }

  /// What the test said last.
  public func isConnected() -> Bool { connected.withLock { $0 } }

  /// Takes the network away or brings it back.
  public func set(isConnected: Bool) {
    connected.withLock { $0 = isConnected }
  }
}

extension FakeReachability: ImmediateReachability {}
