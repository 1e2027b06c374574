extension LoopbackServer {
  /// Why a server couldn't be started.
  public struct StartError: Error, CustomStringConvertible {
    /// The reason, as the system gave it.
    public let description: String
  }
}
