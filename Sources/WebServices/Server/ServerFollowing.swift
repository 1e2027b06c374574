/// Something that a server follows, until it follows something else or goes.
final class ServerFollowing: Sendable {
  private let onEnd: @Sendable () -> Void

  init(onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = onEnd
  }

  func end() {
    onEnd()
  }
}
