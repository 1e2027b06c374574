extension LoopbackServer {
  /// Where a server listens: never outside the machine.
  public enum Address: Sendable, Hashable {
    /// 127.0.0.1
    case ipv4
    /// [::1]
    case ipv6
    /// A socket at a path where no file is; the server removes it when it stops. The system allows about 100 bytes.
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
