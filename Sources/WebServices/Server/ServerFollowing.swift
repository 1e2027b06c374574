/// Something that a server follows, until the server follows something else or goes.
final class ServerFollowing: Sendable {
  /// Which server it is: compared, and nothing more.
  let server: ObjectIdentifier
  private let cancellation = TaskCancellation()

  init(of server: Server) {
    self.server = ObjectIdentifier(server)
  }

  /// Sets the action that ends the following. Runs the action at once if the following has ended already.
  func onEnd(_ action: @escaping @Sendable () -> Void) {
    cancellation.set(action)
  }

  func end() {
    cancellation.cancel()
  }
}

/// One identity change of the followed source.
final class ServerChange: Sendable {
  /// The change that leads to the call of `set(_:)` under way: a subclass may override that and call `super`.
  @TaskLocal static var current: ServerChange?

  let following: ServerFollowing
  /// A later identity has a higher version.
  let version: Int
  private let isFirstCall = Once()

  init(_ following: ServerFollowing, version: Int) {
    self.following = following
    self.version = version
  }

  /// The change whose configuration the server is to take now; `nil` for a call of `set(_:)` that the app has made.
  static func pending(for server: Server) -> ServerChange? {
    guard let current, current.following.server == ObjectIdentifier(server), current.isFirstCall()
    else { return nil }
    return current
  }
}
