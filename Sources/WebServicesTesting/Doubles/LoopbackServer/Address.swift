extension LoopbackServer {
  /// The local address that a server listens on.
  public enum Address: Sendable, Hashable {
    /// The address 127.0.0.1.
    case ipv4
    /// The address [::1].
    case ipv6
    /// A Unix socket at this path, where no file may exist. The system allows about 100 bytes. The server deletes the
    /// socket when it stops.
    case unixSocket(String)

    func baseURL(port: UInt16) -> String {
      switch self {
      case .ipv4: "http://127.0.0.1:\(port)"
      case .ipv6: "http://[::1]:\(port)"
      case .unixSocket: "http://localhost"
      }
    }
  }
}
