/// Holds the identity of the user who is signed in. Call ``set(_:)`` at each sign-in and sign-out: it swaps the
/// configuration of every server that follows the source, before it returns.
///
/// ```swift
/// let user = IdentitySource(Identity.unauthorized)
/// let server = Server(following: user) { identity in config(for: identity) }
/// user.set(.authorized(token: token))  // from here on, requests carry the token
/// ```
///
/// All methods may be called from any thread. In a module of the main actor, declare the identity `nonisolated`.
public final class IdentitySource<Identity: Equatable & Sendable>: Sendable, DescriptionOnly {
  /// Receives an identity and its version, and returns the closure that cancels the requests of the former identity. A
  /// follower ignores a version that isn't higher than the last one.
  typealias Follower = @Sendable (Identity, _ version: Int) -> @Sendable () -> Void

  private struct State: Sendable {
    var identity: Identity
    /// Counts the changes. It starts at 1, since 0 is the version of a follower that knows no identity yet.
    var version = 1
    var lastFollower = 0
    var followers: [Int: Follower] = [:]
  }

  /// Guards identity and followers. Followers are called without the lock, because they call the app's code.
  private let state: Locked<State>

  /// Creates a source.
  ///
  /// - Parameter identity: the identity at first.
  public init(_ identity: Identity) { state = Locked(State(identity: identity)) }

  /// The identity that was set last.
  public var identity: Identity { state.withLock { $0.identity } }

  /// Sets the identity. When this returns, each server that follows the source has swapped its configuration. New
  /// requests are sent with the new identity, and requests of the former one have been cancelled. An equal identity
  /// changes nothing.
  ///
  /// If two threads set an identity at the same time, all servers end with the same identity as this source.
  public func set(_ identity: Identity) {
    let (version, followers) = state.withLock { state in
      if identity != state.identity {
        state.identity = identity
        state.version += 1
      }
      // An equal identity is reported too, because another thread may have set it without having reported it to all.
      return (state.version, state.followers)
    }
    // In the order in which they were added, so that every change reaches the servers in the same order.
    let cancellations = followers.sorted { $0.key < $1.key }.map { $0.value(identity, version) }
    // Only now, because a completion may send a request through any of the servers.
    for cancel in cancellations { cancel() }
  }

  /// The identity and its version.
  var current: (identity: Identity, version: Int) { state.withLock { ($0.identity, $0.version) } }

  /// Adds a follower and tells it of the identity at once.
  ///
  /// - Returns: the closure that removes the follower.
  func add(_ follower: @escaping Follower) -> @Sendable () -> Void {
    let (number, identity, version) = state.withLock { state in
      state.lastFollower += 1
      state.followers[state.lastFollower] = follower
      return (state.lastFollower, state.identity, state.version)
    }
    follower(identity, version)()
    // The removed follower is released after unlocking, with the objects that it retains.
    return { [weak self] in _ = self?.state.withLock { $0.followers.removeValue(forKey: number) } }
  }

  /// The type, without the identity, which may hold a token.
  public var description: String { "IdentitySource" }
}
