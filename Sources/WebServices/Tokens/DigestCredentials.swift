import Foundation

/// A user and a password that are sent as a digest (RFC 7616), so that no request carries the password.
///
/// The first request to an origin is sent without credentials and gets a challenge, which the library responds to.
/// Later requests with the same value respond to the challenge that is known. Keep the value as long as the user.
///
/// ```swift
/// let credentials = DigestCredentials(user: "ada", password: password)
/// struct RequestDataForStatus: WebServiceRequestData {
///   var credentials: DigestCredentials
///   let path = "status"
///   var authorization: WebServiceAuthorizationType { .digest(credentials) }
/// }
/// ```
///
/// The article <doc:SigningRequests> has samples.
public struct DigestCredentials: Hashable, Sendable, DescriptionOnly {
  /// The name of the user.
  public let user: String
  /// The signer of requests. Its name is its own, so that no other user's signer is equal.
  let signer: RequestSigner

  /// Creates credentials that know no challenge yet. Two values are never equal: each counts its own requests.
  ///
  /// - Parameters:
  ///   - user: the name of the user.
  ///   - password: the user's password. It stays in memory, and no request carries it.
  public init(user: String, password: String) { self.init(user: user, password: password) { UUID().uuidString } }

  /// Creates credentials with a source of random texts, for tests.
  init(user: String, password: String, makeClientNonce: @escaping @Sendable () -> String) {
    self.user = user
    // A lock, so that no two requests have the same count.
    let challenges = Locked(DigestChallenges())
    signer = RequestSigner(named: "digest \(UUID().uuidString)", needsToken: false) { request, _ in
      // Without a known challenge the request goes out without credentials, and the 401 brings one.
      guard let target = request.target, let known = challenges.withLock({ $0.countNext(for: target.origin.text) })
      else { return [:] }
      let field = known.challenge.field(
        user: user, password: password, method: request.method, target: target.pathAndQuery, count: known.count,
        clientNonce: known.clientNonce)
      return ["Authorization": field]
    } onChallenge: { response, request in
      guard let origin = request.target?.origin.text,
        let challenge = DigestChallenge.best(of: response.headers.challenges(in: "WWW-Authenticate"))
      else { return false }
      let refused = request.headers.challenges(in: "Authorization").first?.parameters["nonce"]
      let clientNonce = makeClientNonce()
      return challenges.withLock { $0.store(challenge, of: origin, refusing: refused, clientNonce: clientNonce) }
    }
  }

  /// The user, without the password.
  public var description: String { "DigestCredentials(user: \(user))" }
}

extension WebServiceAuthorizationType {
  /// A digest of the user's password (RFC 7616, with MD5 or SHA-256 and `qop=auth`). No token manager is asked.
  public static func digest(_ credentials: DigestCredentials) -> WebServiceAuthorizationType {
    .custom(credentials.signer)
  }
}

/// The last challenge of each origin, with the number of requests that responded to it. No other origin gets the nonce.
private struct DigestChallenges: Sendable {
  /// A challenge, the client nonce of all responses to it, and their number. A server may keep the key that it made of
  /// the first response's client nonce (RFC 7616, section 3.4.2).
  typealias Known = (challenge: DigestChallenge, clientNonce: String, count: UInt32)

  /// More origins than an app signs in to.
  private static let limit = 100

  private var known: [String: Known] = [:]

  /// Returns the challenge to respond to, with the count of this request; `nil` if none is known.
  mutating func countNext(for origin: String) -> Known? {
    // A nonce whose count is used up can't sign another request.
    guard var next = known[origin], next.count < .max else { return nil }
    next.count += 1
    known[origin] = next
    return next
  }

  /// Stores a challenge.
  ///
  /// - Parameter refused: the nonce of the credentials that the server refused with it; `nil` if it got none.
  /// - Returns: whether another request may succeed. A server that refuses a nonce and sends it again refuses the
  ///   password: in place of an old nonce it sends a new one.
  mutating func store(
    _ challenge: DigestChallenge, of origin: String, refusing refused: String?, clientNonce: String
  ) -> Bool {
    if refused == challenge.nonce { return false }
    // Another request has stored this challenge already. Its count must not begin again, since a server refuses a
    // number that it has seen.
    guard known[origin]?.challenge.nonce != challenge.nonce else { return true }
    // Each forgotten origin costs one more 401.
    if known.count >= Self.limit { known = [:] }
    known[origin] = (challenge, clientNonce, 0)
    return true
  }
}
