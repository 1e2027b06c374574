/// Decides whether a service follows a redirect.
///
/// A redirect to another origin carries only header fields that are known to hold no credentials, such as `Accept`,
/// `Range` and `User-Agent`.
public struct RedirectPolicy: Hashable, Sendable {
  /// Whether redirects are followed. If not, the 3xx is the response, and fails with its status.
  public var isFollowing: Bool
  /// How many redirects of one request are followed.
  public var limit: Int
  /// Whether a redirect may lead from `https` to `http`.
  public var allowsDowngrade: Bool

  /// Creates a policy. Each parameter sets the property of the same name.
  public init(isFollowing: Bool = true, limit: Int = 20, allowsDowngrade: Bool = false) {
    self.isFollowing = isFollowing
    self.limit = limit
    self.allowsDowngrade = allowsDowngrade
  }

  /// Follows up to 20 redirects, never from `https` to `http`.
  public static let follow = RedirectPolicy()
  /// Follows none.
  public static let doNotFollow = RedirectPolicy(isFollowing: false)
}

private enum RedirectsKey: LibraryOptionKey {
  static var defaultValue: RedirectPolicy? { nil }
}

extension RequestOptions {
  /// Which redirects are followed; `nil` means the configuration's policy.
  public var redirects: RedirectPolicy? {
    get { self[RedirectsKey.self] }
    set { self[RedirectsKey.self] = newValue }
  }
}
