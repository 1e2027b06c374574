import Foundation
import WebServices

/// The first example: a configuration that depends on the user (URL and token) and on the backend (date format).
final class Back: Server, @unchecked Sendable {
  /// - Parameter adjust: changes each configuration in tests.
  init(user: AppUser, adjust: @escaping Config.Configure<Config> = { _ in }) {
    super.init(following: user.identities) { identity in Self.config(for: identity, adjust) }
  }

  @available(*, unavailable)
  override init(with config: Server.Config) {
    super.init(with: config)
  }
}

extension Back {
  private static func config(for identity: AppUser.Identity, _ adjust: Config.Configure<Config>) -> Server.Config {
    var config =
      switch identity {
      case .authorized(let info): Config(base: info.url, headers: ["Authorization": "Bearer \(info.token)"])
      case .unauthorized: Config(base: URL(string: "https://backend.example.com"))
      }
    config.decoder = { $0.dateDecodingStrategy = .formatted(dateFormatter) }
    adjust(&config)
    return config
  }

  private static let dateFormatter: DateFormatter = {
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSSZZZZZ"
    formatter.calendar = Calendar(identifier: .iso8601)
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.locale = Locale(identifier: "en_US_POSIX")
    return formatter
  }()
}
