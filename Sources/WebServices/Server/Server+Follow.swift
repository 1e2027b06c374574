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
    following.end.set(
      identities.add { [weak self] identity, version in
        let change = ServerChange(following, version: version)
        self?.apply(change) { configure(identity) }
        return { change.former.cancel() }
      })
  }
}
