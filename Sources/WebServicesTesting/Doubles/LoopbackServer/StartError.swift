extension LoopbackServer {
  /// The error of a ``LoopbackServer`` or a ``ClosedPort`` that couldn't start.
  public struct StartError: Error, CustomStringConvertible {
    /// The system's reason.
    public let description: String
  }
}
