extension LoopbackServer {
  /// The error of a server that couldn't start.
  public struct StartError: Error, CustomStringConvertible {
    /// The system's reason.
    public let description: String
  }
}
