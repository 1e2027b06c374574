public import WebServicesCore

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

  /// The limits for a request's size and for the number of recorded requests.
  public struct Limits: Sendable, Hashable {
    /// The most bytes of a request line and header fields, including trailers. The server rejects more with status 431.
    public var headBytes = 65_536
    /// The most bytes of a body. The server rejects more with status 413.
    public var bodyBytes = 67_108_864
    /// The number of requests to keep in ``requests``, and of reasons in ``refusals``. Later requests are only counted.
    public var recordedRequests = 100_000

    /// Creates the default limits.
    public init() {}
  }

  /// The error of a ``LoopbackServer`` or a ``ClosedPort`` that couldn't start.
  public struct StartError: DescribedByLibrary {
    /// The system's reason.
    public let description: String
  }
}
