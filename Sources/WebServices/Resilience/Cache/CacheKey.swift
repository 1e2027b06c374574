package import Foundation

/// The key of a stored response: the URL of the request and the user.
public struct CacheKey: Hashable, Sendable {
  /// The URL without its fragment and user info, with scheme and host in lower case, and without the scheme's own port
  /// (RFC 9110, section 4.2.3). Two ways to escape a path are two keys.
  public let url: String
  /// The identity whose credentials the request has; `nil` for a request without credentials.
  package let identity: CacheIdentity?

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - url: the URL of the request.
  ///   - identity: the user of the request; `nil` without credentials.
  package init(url: URL, identity: CacheIdentity?) {
    self.init(.foundation(url), identity: identity)
  }

  init(_ url: URLForm, identity: CacheIdentity?) {
    self.init(url.normalizedText, identity: identity)
  }

  /// Creates a key from the text of another key's `url`.
  init(_ url: String, identity: CacheIdentity?) {
    self.url = url
    self.identity = identity
  }
}

extension CacheKey: DescriptionOnly {
  /// The URL without the values of secret query items, and the identity.
  public var description: String {
    "\(Redaction.standard.url(url)) (\(identity?.description ?? "nobody"))"
  }
}

/// The user whose responses are stored. A response of one identity is never used for another identity, or for nobody
/// (`nil`). The value is a digest: neither a credential nor an account can be read from it.
package struct CacheIdentity: Hashable, Sendable {
  /// SHA-256 in hexadecimal digits.
  let digest: String

  /// Creates the identity of credentials; `nil` without any. Other credentials are another identity.
  ///
  /// - Parameters:
  ///   - credentials: all header fields that may carry credentials, in an order that stays the same.
  ///   - salt: random bytes of the store. Readers of the store know them: they could find a password by guessing, but
  ///     no server's token.
  package init?(credentials: [String], salt: Data) {
    guard !credentials.isEmpty else { return nil }
    digest =
      SHA256.hash(ofParts: [Array("credentials".utf8), Array(salt)] + credentials.map { Array($0.utf8) })
      .hexadecimal
  }
}

extension CacheIdentity: DescriptionOnly {
  /// The first digits of the digest, which are enough to distinguish two identities.
  package var description: String { "CacheIdentity(\(digest.prefix(8)))" }
}
