#if canImport(Security)
  import Foundation
  import Security

  /// Keeps the token in the Keychain, as a generic password. The token can be read once the device has been unlocked
  /// after its start. No other device gets the token, not even with a backup. The token outlives the app's deletion.
  ///
  /// On macOS the item is in the data protection keychain, in which a program without entitlements can't save: the
  /// error is `.status(-34018)`. A command-line tool uses ``FileTokenStorage``.
  public struct KeychainTokenStorage: TokenStorage {
    /// Why the Keychain couldn't be used.
    public enum Failure: DescribedByLibrary, Equatable {
      /// The item is damaged, or the library didn't write it.
      case damaged(service: String, account: String)
      /// The Keychain failed with an `OSStatus` of Security.
      case status(Int32)

      /// The reason in words for developers.
      public var description: String {
        switch self {
        case .damaged(let service, let account):
          "the Keychain's item for \(service) and \(account) is damaged, or not written by the library"
        case .status(let status):
          "the Keychain failed with \(status): \(SecCopyErrorMessageString(status, nil).map { "\($0)" } ?? "no words")"
        }
      }
    }

    private let service, account: String
    private let accessGroup: String?

    /// Creates a storage.
    ///
    /// - Parameters:
    ///   - service: the name of the item, for example the app's bundle identifier.
    ///   - account: tells items of the same service apart.
    ///   - accessGroup: shares the item between apps of one team. With `nil`, the item is made in the first group of
    ///     the app's entitlements, and is found in any of them.
    public init(service: String, account: String = "apiToken", accessGroup: String? = nil) {
      self.service = service
      self.account = account
      self.accessGroup = accessGroup
    }

    /// The token that was saved last, or `nil` when there is none.
    ///
    /// - Throws: a `Failure`.
    public func load() throws -> StoredToken? {
      var query = item
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      guard status != errSecItemNotFound else { return nil }
      guard status == errSecSuccess else { throw Failure.status(status) }
      guard let data = result as? Data, let token = StoredToken(kept: data) else {
        throw Failure.damaged(service: service, account: account)
      }
      return token
    }

    /// Stores a token, and replaces the former one.
    ///
    /// - Throws: a `Failure`.
    public func save(_ token: StoredToken) throws {
      let values: [CFString: Any] = [
        kSecValueData: try token.kept(),
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      // Updated first, because `SecItemAdd` fails for an item that exists.
      var status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
      if status == errSecItemNotFound { status = SecItemAdd(item.merging(values) { $1 } as CFDictionary, nil) }
      // Another process has added the item in between.
      if status == errSecDuplicateItem { status = SecItemUpdate(item as CFDictionary, values as CFDictionary) }
      guard status == errSecSuccess else { throw Failure.status(status) }
    }

    /// Forgets the token.
    ///
    /// - Throws: a `Failure`.
    public func clear() throws {
      let status = SecItemDelete(item as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure.status(status) }
    }

    /// The query that finds the item.
    private var item: [CFString: Any] {
      var item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
        // Without this key, macOS uses the file-based keychain, which ignores `kSecAttrAccessible`.
        kSecUseDataProtectionKeychain: true,
      ]
      item[kSecAttrAccessGroup] = accessGroup
      return item
    }
  }
#endif
