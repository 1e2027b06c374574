/// Stands for a server without retaining it. The address of a released server may be given to another one.
final class ServerIdentity: Sendable {}

/// The link between a server and the source that it follows.
final class ServerFollowing: Sendable {
  let server: ServerIdentity
  /// Cuts the link, when the server follows another source or is released.
  let end = TaskCancellation()

  init(of server: Server) { self.server = server.identity }
}

/// A change of the followed identity, while the server applies it. The server ignores a change of a former source, and
/// a change that is older than the last one.
final class ServerChange: Sendable {
  /// The change that the current call of `set(_:)` applies: a subclass may override that method and call `super`.
  @TaskLocal static var current: ServerChange?

  let following: ServerFollowing
  /// A later identity has a higher version.
  let version: Int
  /// Cancels the requests of the former configuration, once all servers that follow the source have swapped theirs.
  let former = TaskCancellation()
  /// The first call of `set(_:)` is the change's own. An override may make further calls, which are the app's.
  private let isFirstCall = Once()

  init(_ following: ServerFollowing, version: Int) {
    self.following = following
    self.version = version
  }

  /// The change that a call of `set(_:)` applies; `nil` for a call that the app has made.
  static func pending(for server: Server) -> ServerChange? {
    guard let current, current.following.server === server.identity, current.isFirstCall()
    else { return nil }
    return current
  }
}
