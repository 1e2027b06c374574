// Responses that violate the protocol. A client must handle all of them.
extension LoopbackServer.Response {
  /// No response, while the connection stays open.
  public static var never: Self { [.never] }

  /// An orderly close of the connection instead of a response.
  public static var close: Self { [.close] }

  /// A reset of the connection instead of a response.
  public static var reset: Self { [.reset] }

  /// Text that is sent unchanged. The connection stays open unless `steps` close it.
  public static func raw(_ text: String, then steps: LoopbackServer.Step...) -> Self {
    Self([.text(text)] + steps)
  }
}
