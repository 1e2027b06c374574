#if canImport(Combine)
  public import Combine
#endif

extension Server {
  /// Swaps the configuration whenever the stream tells of another identity. An identity that equals the one before
  /// changes nothing; when the stream ends or fails, the last configuration stays.
  ///
  /// A server follows one stream: the next call takes its place. Between the moment in which the app changes the identity
  /// and the one in which the stream tells, requests go out with the former one: an app that can't have that calls
  /// `set(_:)` itself.
  ///
  /// - Parameters:
  ///   - identities: read in a Swift task of the server's own, which ends with the server.
  ///   - configure: makes the configuration; called in that task.
  public final func follow<Identities: AsyncSequence & Sendable>(
    _ identities: Identities, configure: @escaping @Sendable (Identities.Element) -> Config
  ) where Identities.Element: Equatable & Sendable {
    let task = Task { [weak self] in
      var former: Identities.Element?
      for try await identity in identities where identity != former {
        former = identity
        let config = configure(identity)
        // A stream that was replaced by another may tell of one more identity.
        guard let self, !Task.isCancelled else { return }
        set(config)
      }
    }
    replaceFollowing(with: ServerFollowing { task.cancel() })
  }

  #if canImport(Combine)
    /// Swaps the configuration whenever the publisher tells of another identity, before it goes on. An identity that
    /// equals the one before changes nothing.
    ///
    /// A server follows one stream: the next call takes its place.
    ///
    /// - Parameters:
    ///   - identities: subscribed to until the server goes.
    ///   - configure: makes the configuration; called where the publisher tells of the identity.
    public final func follow<Identities: Publisher>(
      _ identities: Identities, configure: @escaping @Sendable (Identities.Output) -> Config
    ) where Identities.Output: Equatable & Sendable, Identities.Failure == Never {
      // A cancellable can be cancelled from any thread; it doesn't say so.
      nonisolated(unsafe) let subscription = identities.removeDuplicates().sink { [weak self] identity in
        self?.set(configure(identity))
      }
      replaceFollowing(with: ServerFollowing { subscription.cancel() })
    }
  #endif
}
