/// Stands for a server without retaining it. The address of a released server may be given to another one.
final class ServerIdentity: Sendable {}

/// A change of the followed identity, while the server applies it. The server ignores a change of a former source, and
/// a change that is older than the last one.
final class ServerChange: Sendable {
  /// The change that the current call of `set(_:)` applies: a subclass may override that method and call `super`.
  @TaskLocal static var current: ServerChange?

  private let server: ServerIdentity
  /// The link to the source, which is cut when the server follows another source or is released.
  let link: TaskCancellation
  /// A later identity has a higher version.
  let version: Int
  /// Cancels the requests of the former configuration, once all servers that follow the source have swapped theirs.
  let former = TaskCancellation()
  /// The first call of `set(_:)` is the change's own. An override may make further calls, which are the app's.
  private let isFirstCall = Once()

  init(of server: Server, by link: TaskCancellation, version: Int) {
    (self.server, self.link, self.version) = (server.identity, link, version)
  }

  /// The change that a call of `set(_:)` applies; `nil` for a call that the app has made.
  static func pending(for server: Server) -> ServerChange? {
    guard let current, current.server === server.identity, current.isFirstCall() else { return nil }
    return current
  }
}
