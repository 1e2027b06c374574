extension LoopbackServer {
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
}
