package import Foundation

/// The key of a stored response: the URL of the request, the virtual host that the request names, and the user.
public struct CacheKey: Hashable, Sendable {
  /// The URL without its fragment and user info, with scheme and host in lower case, and without the scheme's own port
  /// (RFC 9110, section 4.2.3). Two ways to escape a path are two keys.
  public let url: String
  /// The host of a `Host` field that the caller set, in lower case; `nil` when it is the host of the URL. One server
  /// gives other responses for other hosts.
  package let host: String?
  /// The identity whose credentials the request has; `nil` for a request without credentials.
  package let identity: CacheIdentity?

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - url: the URL of the request.
  ///   - host: the value of the request's `Host` field; `nil` when the caller set none.
  ///   - identity: the user of the request; `nil` without credentials.
  package init(url: URL, host: String? = nil, identity: CacheIdentity?) {
    self.init(.foundation(url), host: host, identity: identity)
  }

  init(_ request: TransportRequest, identity: CacheIdentity?) {
    let host = request.headers["Host"] == nil ? nil : request.headers.values(for: "Host").joined(separator: ",")
    self.init(request.urlForm, host: host, identity: identity)
  }

  private init(_ url: URLForm, host: String?, identity: CacheIdentity?) {
    self.url = url.normalizedText
    self.host = host.flatMap { Self.virtualHost($0.trimmingFieldWhitespace, of: url.parsed?.origin) }
    self.identity = identity
  }

  /// The host that a `Host` field names; `nil` if the URL has the same host.
  private static func virtualHost(_ field: String, of origin: URLOrigin?) -> String? {
    // A field that isn't a host makes a key of its own, so that no other host gets the response.
    let named = (try? URLOrigin(field[...], isSecure: origin?.isSecure ?? true).hostAndPort) ?? field.lowercased()
    return named == origin?.hostAndPort ? nil : named
  }
}

extension CacheKey: DescriptionOnly {
  /// The URL without the values of secret query items, the virtual host, and the identity.
  public var description: String {
    let host = host.map { " at \($0)" } ?? ""
    return "\(Redaction.standard.url(url))\(host) (\(identity?.description ?? "nobody"))"
  }
}

/// The user whose responses are stored. A response of one identity is never used for another identity, or for nobody
/// (`nil`). The value is a digest: neither a credential nor an account can be read from it.
package struct CacheIdentity: Hashable, Sendable {
  /// SHA-256 in hexadecimal digits.
  let digest: String

  /// Creates the identity of an account that the app names, such as its number. It stays the same when a token is
  /// renewed.
  package init(account: String) {
    digest = SHA256.hash(ofParts: [Array("account".utf8), Array(account.utf8)]).hexadecimal
  }

  /// Creates the identity of credentials; `nil` without any. Other credentials are another identity.
  ///
  /// - Parameters:
  ///   - credentials: the values of all header fields that carry credentials, in an order that stays the same.
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

/// Tells which header fields carry credentials. A cache session makes one such object, and shares it among all
/// requests.
final class CredentialFields: Sendable {
  private let redaction: Redaction
  /// Fields of nearly every request that the redaction doesn't hide, found once: a look at the redaction is slow.
  private let harmless: [String]

  init(redaction: Redaction) {
    self.redaction = redaction
    harmless = ["Accept", "Content-Type", "User-Agent", "Accept-Language"].filter { !redaction.hides(header: $0) }
  }

  /// Whether a header field carries credentials.
  ///
  /// - Parameter names: more fields that carry credentials.
  func contain(_ name: String, or names: [String]) -> Bool {
    if names.contains(where: { $0.equalsIgnoringASCIICase(name) }) { return true }
    return !harmless.contains(name) && redaction.hides(header: name)
  }
}
