import Foundation

/// What is known of the token, and what follows from it: pure, so that each case is tested without a clock or a request.
struct TokenState: Sendable {
  typealias Waiter = @Sendable (Result<AccessToken, any Error>) -> Void

  private struct Current {
    var token: AccessToken
    var expiry: TimeInterval
  }

  private var current: Current?
  private var generation = 0
  /// The generation that is being renewed. One renewal serves all who wait.
  private(set) var renewingGeneration: Int?
  private var waiters: [Waiter] = []

  /// What a request for a token leads to.
  enum Decision: Equatable {
    case use(AccessToken)
    case wait
    case renew(AccessToken)
    case refuse(TokenError)
  }

  var token: AccessToken? { current?.token }

  var waiterCount: Int { waiters.count }

  /// Whether there is no token, or less than `leeway` seconds are left.
  func isExpired(now: TimeInterval, leeway: TimeInterval) -> Bool {
    current.map { $0.expiry - now < leeway } ?? true
  }

  func secondsRemaining(now: TimeInterval) -> TimeInterval? {
    current.map { $0.expiry - now }
  }

  /// The waiter is kept where the decision is `.wait` or `.renew`.
  mutating func request(
    now: TimeInterval, leeway: TimeInterval, canRenew: Bool, waiter: @escaping Waiter
  ) -> Decision {
    guard let current else { return .refuse(.notSignedIn) }
    guard isExpired(now: now, leeway: leeway) else { return .use(current.token) }
    guard canRenew else {
      // Without a renewal the last minute of a token is as good as the first.
      return current.expiry > now ? .use(current.token) : .refuse(.expired)
    }
    waiters.append(waiter)
    guard renewingGeneration == nil else { return .wait }
    renewingGeneration = current.token.generation
    return .renew(current.token)
  }

  /// Takes a new token and gives back those who wait for one.
  mutating func update(value: String, expiry: TimeInterval) -> (token: AccessToken, waiters: [Waiter]) {
    generation += 1
    let token = AccessToken(value: value, generation: generation)
    current = Current(token: token, expiry: expiry)
    return (token, endRenewal())
  }

  /// Forgets the token and gives back those who wait for one.
  mutating func clear() -> [Waiter] {
    current = nil
    return endRenewal()
  }

  /// Whether the renewal of this generation is still waited for: a sign-in or a sign-out ends it.
  func isCurrentRenewal(of generation: Int) -> Bool {
    renewingGeneration == generation
  }

  /// A renewal failed: gives back those who wait. The token stays; the next request tries again.
  mutating func renewalFailed(of generation: Int) -> [Waiter] {
    guard isCurrentRenewal(of: generation) else { return [] }
    return endRenewal()
  }

  private mutating func endRenewal() -> [Waiter] {
    defer { waiters = [] }
    renewingGeneration = nil
    return waiters
  }
}

/// Why a manager has no token to give.
public enum TokenError: Error, Equatable, Sendable {
  /// Nobody is signed in.
  case notSignedIn
  /// The token has expired, and the manager knows no way to renew it.
  case expired
  /// The answer to the renewal had no token in it.
  case emptyAnswer
  /// The user signed out while the renewal was under way.
  case signedOut
}
