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

  /// What a request may measure, and how many are kept.
  public struct Limits: Sendable, Hashable {
    /// The most bytes of a request line and fields, trailers included; more is answered with 431.
    public var headBytes = 65_536
    /// The most bytes of a body; more is answered with 413.
    public var bodyBytes = 67_108_864
    /// How many requests are kept in `requests`; later ones are answered and counted only.
    public var recordedRequests = 100_000

    /// Creates limits with the usual values.
    public init() {}
  }

  /// Why a server couldn't be started.
  public struct StartError: Error, CustomStringConvertible {
    /// The reason, as the system gave it.
    public let description: String
  }
}
