extension Server {
  /// Swaps the configuration whenever another identity is set, before ``IdentitySource/set(_:)`` returns. Once the app
  /// knows the new identity, no request is sent with the former one. The configuration of the current identity is set
  /// before this returns. ``init(following:configure:)`` begins with that configuration.
  ///
  /// A server follows one source. The next call replaces that source, which then changes nothing any more.
  ///
  /// - Parameters:
  ///   - identities: the source, which is followed until the server is released. The server doesn't retain it.
  ///   - configure: makes the configuration. Called on the thread that sets the identity.
  public final func follow<Identity>(
    _ identities: IdentitySource<Identity>, configure: @escaping @Sendable (Identity) -> Config
  ) {
    follow(identities, since: 0, configure: configure)
  }

  /// Follows a source whose identity of this version the server has adopted already.
  final func follow<Identity>(
    _ identities: IdentitySource<Identity>, since version: Int, configure: @escaping @Sendable (Identity) -> Config
  ) {
    let following = beginFollowing(since: version)
    following.onEnd(
      identities.add { [weak self] identity, version in
        let change = ServerChange(following, version: version)
        self?.apply(change) { configure(identity) }
        return { change.former.cancel() }
      })
  }

  /// Swaps the configuration whenever the stream yields another identity. An equal identity changes nothing. When the
  /// stream ends or fails, the last configuration stays.
  ///
  /// A server follows one source. The next call replaces it, and the former stream changes nothing any more.
  ///
  /// - Important: An `AsyncSequence` yields a change some time after the app has made it. Until then requests are sent
  ///   with the former identity, and the swap may cancel a request that the app sends right after a sign-in. Use an
  ///   ``IdentitySource`` if the app owns the identity.
  ///
  /// - Parameters:
  ///   - identities: the stream, which is read in a Swift task that ends with the server.
  ///   - configure: makes the configuration; called in that task.
  public final func follow<Identities: AsyncSequence & Sendable>(
    _ identities: Identities, configure: @escaping @Sendable (Identities.Element) -> Config
  ) where Identities.Element: Equatable & Sendable {
    let following = beginFollowing()
    let task = Task { [weak self] in
      var former: Identities.Element?
      var version = 0
      for try await identity in identities where identity != former {
        former = identity
        version += 1
        // The task retains the server only while it applies a change, and ends with the server.
        guard let self else { return }
        let change = ServerChange(following, version: version)
        apply(change) { configure(identity) }
        change.former.cancel()
      }
    }
    following.onEnd { task.cancel() }
  }
}
