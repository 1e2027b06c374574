extension LoopbackServer {
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
}
