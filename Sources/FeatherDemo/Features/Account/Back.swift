import Foundation
import WebServices

/// Sends the requests of the signed-in user to the backend. A change of identity makes a new configuration, cancels all
/// requests of the previous identity, and ends its session.
///
/// `@unchecked Sendable` because its base class is: the base class guards the configuration with a lock, and this class
/// adds no state.
final class Back: Server, @unchecked Sendable {
  /// - Parameters:
  ///   - user: the user to follow.
  ///   - base: the backend's base URL.
  ///   - adjust: changes each new configuration.
  init(user: AppUser, base: URL?, adjust: @escaping Config.Configure<Config> = { _ in }) {
    super.init(following: user.identities) { identity in Self.config(for: identity, base: base, adjust) }
  }

  @available(*, unavailable)
  override init(with config: Server.Config) {
    super.init(with: config)
  }
}

extension Back {
  private static func config(
    for identity: AppUser.Identity, base: URL?, _ adjust: Config.Configure<Config>
  ) -> Server.Config {
    var config = Config(base: base, timeout: 30)
    if case .authorized(let info) = identity { config.headers = ["Authorization": "Bearer \(info.token)"] }
    adjust(&config)
    return config
  }
}
