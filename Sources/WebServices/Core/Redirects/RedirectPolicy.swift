/// Decides whether a service follows a redirect.
///
/// No redirect from `https` to `http` is followed. A redirect to another origin carries only header fields that are
/// known to hold no credentials, such as `Accept`, `Range` and `User-Agent`.
public struct RedirectPolicy: Hashable, Sendable {
  /// Whether redirects are followed. If not, the 3xx is the response, and fails with its status.
  public var isFollowing: Bool
  /// How many redirects of one request are followed.
  public var limit: Int
  /// Whether a redirect may send the request's body to another origin. If not, the request fails with a
  /// ``RedirectPolicy/Refusal``. The library can't know what is secret in a body, so allow this only for bodies without
  /// secrets.
  public var sendsBodyToOtherOrigins: Bool

  /// Creates a policy. Each parameter sets the property of the same name.
  public init(isFollowing: Bool = true, limit: Int = 20, sendsBodyToOtherOrigins: Bool = false) {
    self.isFollowing = isFollowing
    self.limit = limit
    self.sendsBodyToOtherOrigins = sendsBodyToOtherOrigins
  }

  /// Follows up to 20 redirects, never from `https` to `http`, and never with a body to another origin.
  public static let follow = RedirectPolicy()
  /// Follows none.
  public static let doNotFollow = RedirectPolicy(isFollowing: false)
}
