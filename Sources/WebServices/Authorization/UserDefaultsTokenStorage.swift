import Foundation

/// Keeps the token in `UserDefaults`. They are a plain file that other programs of the user can read: for a token that
/// is worth stealing, use a storage of your own.
public struct UserDefaultsTokenStorage: TokenStorage {
  private let suiteName: String?
  private let key: String

  /// Creates a storage.
  ///
  /// - Parameters:
  ///   - suiteName: the suite; `nil` means the standard defaults.
  ///   - key: the key under which token and expiry stand.
  public init(suiteName: String? = nil, key: String = "apiToken") {
    self.suiteName = suiteName
    self.key = key
  }

  /// Why the defaults couldn't be used.
  public enum Failure: Error, Equatable {
    /// There are no defaults of this suite's name.
    case noSuchSuite(String)
    /// What stands under the key is no token of ours, or is damaged.
    case damaged(key: String)
  }

  /// The token that was saved last.
  public func load() throws -> StoredToken? {
    guard let object = try defaults().object(forKey: key) else { return nil }
    guard let data = object as? Data, let token = try? JSONDecoder().decode(StoredToken.self, from: data) else {
      throw Failure.damaged(key: key)
    }
    return token
  }

  /// Keeps the token and writes it out.
  public func save(_ token: StoredToken) throws {
    let defaults = try defaults()
    defaults.set(try JSONEncoder().encode(token), forKey: key)
    // On Linux nothing is written without it.
    defaults.synchronize()
  }

  /// Forgets the token and writes that out.
  public func clear() throws {
    let defaults = try defaults()
    defaults.removeObject(forKey: key)
    defaults.synchronize()
  }

  /// `UserDefaults` isn't `Sendable` everywhere, so it is made where it is used.
  private func defaults() throws -> UserDefaults {
    guard let suiteName else { return .standard }
    guard let defaults = UserDefaults(suiteName: suiteName) else { throw Failure.noSuchSuite(suiteName) }
    return defaults
  }
}
