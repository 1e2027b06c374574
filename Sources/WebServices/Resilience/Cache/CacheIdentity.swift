package import Foundation

/// Whose answers these are. What was stored for one identity is never handed to another one, or to nobody (`nil`).
///
/// It holds a digest only: neither a credential nor an account can be read from it.
package struct CacheIdentity: Hashable, Sendable {
  /// SHA-256 in hexadecimal digits.
  let digest: String

  /// An identity that an app knows by a name of its own, such as an account number. It stays the same when a token is
  /// renewed.
  package init(account: String) {
    digest = SHA256Digest.hexadecimal(of: [Array("account".utf8), Array(account.utf8)])
  }

  /// The identity that is behind credentials; `nil` without any. Other credentials are another identity.
  ///
  /// - Parameters:
  ///   - credentials: the values of all header fields that carry credentials, in an order that stays the same.
  ///   - salt: random bytes of the store. They are no secret to who can read the store: a password that can be guessed
  ///     can be found by trying, a token of a server can't.
  package init?(credentials: [String], salt: Data) {
    guard !credentials.isEmpty else { return nil }
    digest = SHA256Digest.hexadecimal(
      of: [Array("credentials".utf8), Array(salt)] + credentials.map { Array($0.utf8) })
  }
}

extension CacheIdentity: DescriptionOnly {
  /// The first digits of the digest, enough to tell two from each other.
  package var description: String { "CacheIdentity(\(digest.prefix(8)))" }
}
