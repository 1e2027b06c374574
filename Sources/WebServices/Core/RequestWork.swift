/// Work that consists of several requests: a download with its resumptions, an event stream with its reconnections, the
/// pages of a collection. It belongs to the identity with which its first request began; a later request that needs a
/// token ends as cancelled once that user has signed out.
final class RequestWork: Sendable {
  /// The work that requests of this Swift task are part of.
  @TaskLocal static var current: RequestWork?

  /// The first request at one service.
  private struct Start: Sendable {
    let registry: RunRegistry
    let identity: RunRegistry.Identity
  }

  private let starts = Locked<[Start]>([])

  /// The work under way, or new work.
  static var joined: RequestWork { current ?? RequestWork() }

  /// With which identity a request that is part of the work asks a service to be sent.
  func identity(in registry: RunRegistry, needsToken: Bool) -> RunRegistry.Identity {
    let starts = starts.withLock { $0 }
    // A service that was shut down was replaced: what it began doesn't go on through another one.
    if starts.contains(where: { $0.registry !== registry && !$0.registry.isOpen }) { return .ended }
    let start = starts.first { $0.registry === registry } ?? add(Start(registry: registry, identity: registry.identity))
    return needsToken ? start.identity : .none
  }

  /// - Returns: the start at the same service that another thread has added before, or this one.
  private func add(_ start: Start) -> Start {
    starts.withLock { starts in
      if let former = starts.first(where: { $0.registry === start.registry }) { return former }
      starts.append(start)
      return start
    }
  }
}
