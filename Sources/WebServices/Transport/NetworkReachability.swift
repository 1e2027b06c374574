#if canImport(Network)
  import Dispatch
  import Network

  /// Tells whether the system has a path to a network. Call ``isConnected()``, which never blocks.
  ///
  /// `@unchecked Sendable` because older SDKs don't declare `NWPathMonitor` as `Sendable`. The monitor is used in
  /// `init` and `deinit` alone.
  public final class NetworkReachability: ReachabilityCheckable, @unchecked Sendable {
    /// The instance that the whole process shares.
    public static let shared = NetworkReachability()

    private let monitor = NWPathMonitor()
    /// Guards the last answer of the monitor. Until its first answer nothing is known, and the transport finds out.
    private let hasPath = Locked(true)

    init() {
      // On a watch, Network reports no path even if `URLSession` has one (Apple's TN3135).
      #if !os(watchOS)
        // `currentPath` isn't read, because Network doesn't say from which threads that is safe.
        monitor.pathUpdateHandler = { [hasPath] path in hasPath.withLock { $0 = path.status != .unsatisfied } }
        monitor.start(queue: DispatchQueue(label: "WebServices.NetworkReachability", qos: .utility))
      #endif
    }

    deinit { monitor.cancel() }

    /// Whether the current path can be used, or would become usable with the first connection (a VPN on demand). On a
    /// watch the result is always `true`.
    public func isConnected() -> Bool { hasPath.withLock { $0 } }
  }
#else
  import Foundation

  /// Tells whether a network interface other than the loopback is up and has an address. Call ``isConnected()``, which
  /// never looks a name up.
  public final class NetworkReachability: ReachabilityCheckable {
    /// The instance that the whole process shares.
    public static let shared = NetworkReachability()

    /// Guards the time at which an interface was last found up.
    private let lastFound = Locked(-TimeInterval.infinity)

    /// Whether an interface is up. Listing the interfaces takes some ten microseconds, so a positive result counts for
    /// a second.
    public func isConnected() -> Bool {
      let now = MonotonicTime.seconds
      if now - lastFound.withLock({ $0 }) < 1 { return true }
      guard Self.isAnyInterfaceUp() else { return false }
      lastFound.withLock { $0 = now }
      return true
    }

    private static func isAnyInterfaceUp() -> Bool {
      var first: UnsafeMutablePointer<ifaddrs>?
      // Without a list nothing is known about the network, and the transport finds out.
      guard getifaddrs(&first) == 0 else { return true }
      defer { freeifaddrs(first) }
      return sequence(first: first, next: { $0?.pointee.ifa_next }).contains { interface in
        guard let interface = interface?.pointee, let address = interface.ifa_addr else { return false }
        let family = Int32(address.pointee.sa_family)
        let flags = Int32(bitPattern: interface.ifa_flags) & Int32(IFF_UP | IFF_RUNNING | IFF_LOOPBACK)
        return flags == Int32(IFF_UP | IFF_RUNNING) && (family == AF_INET || family == AF_INET6)
      }
    }
  }
#endif
