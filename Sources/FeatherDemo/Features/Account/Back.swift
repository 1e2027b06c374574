import Foundation
import WebServices

/// The backend as the user is to it who is signed in. Another identity makes another configuration: what the former one
/// had on the way is cancelled, and its session ends.
///
/// `@unchecked Sendable` as its base class is, whose lock guards the configuration; it adds no state.
final class Back: Server, @unchecked Sendable {
  /// - Parameters:
  ///   - user: whose identity it follows.
  ///   - base: where the backend is.
  ///   - adjust: what each configuration has besides.
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
    var config = Config(
      base: base,
      headers: {
        switch identity {
        case .authorized(let info):
          return ["Authorization": "Bearer \(info.token)"]
        case .unauthorized:
          return [:]
        }
      }(),
      timeout: 30
    )
    adjust(&config)
    return config
  }
}
