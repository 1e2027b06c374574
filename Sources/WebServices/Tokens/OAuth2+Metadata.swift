public import Foundation

extension OAuth2 {
  /// A description of a server that gives tokens, as the server publishes it (RFC 8414, OpenID Connect Discovery).
  ///
  /// ```swift
  /// let request = OAuth2.metadataRequest(issuer: issuer)
  /// let server = try await service.sendRequest(request, as: OAuth2.Metadata.self)
  /// oauth = OAuth2(tokenURL: server.tokenURL, client: client)
  /// ```
  public struct Metadata: Decodable, Hashable, Sendable {
    /// The server's own name, a URL.
    public var issuer: String
    /// The page on which users sign in.
    public var authorizationURL: URL?
    /// The URL that tokens are requested from.
    public var tokenURL: URL
    /// The URL that revokes tokens (RFC 7009).
    public var revocationURL: URL?
    /// The URL that tells who the user is (OpenID Connect).
    public var userInfoURL: URL?

    /// The document in which a server publishes its description.
    public enum Document: String, Hashable, Sendable {
      /// `.well-known/openid-configuration` below the issuer (OpenID Connect Discovery, section 4).
      case openID = "openid-configuration"
      /// `.well-known/oauth-authorization-server` before the issuer's path (RFC 8414, section 3).
      case oauth = "oauth-authorization-server"
    }

    private enum CodingKeys: String, CodingKey {
      case issuer
      case authorizationURL = "authorization_endpoint"
      case tokenURL = "token_endpoint"
      case revocationURL = "revocation_endpoint"
      case userInfoURL = "userinfo_endpoint"
    }
  }

  /// Makes the request for the description of a server that gives tokens. Its response is an ``OAuth2/Metadata``.
  ///
  /// A description of another issuer fails (RFC 8414, section 3.3), and so does the description of an `https` issuer
  /// that names a URL without `https`. Both errors are of kind ``WebServiceError/Kind/invalidResponse``.
  public static func metadataRequest(issuer: URL, document: Metadata.Document = .openID) -> Request {
    let name = "/.well-known/\(document.rawValue)"
    let text = withoutSlash(issuer.absoluteString)
    let url = document == .oauth ? (try? HTTPURL(text)) : nil
    let path = url.map { $0.origin.text + name + withoutSlash(String($0.path)) } ?? text + name
    let options = RequestOptions {
      // The configuration's decoder may convert names.
      $0.decoder = JSONDecoder()
      $0.validators = [
        ResponseValidator { response in
          // Decoded here and once more by the parser: a parser's error would be of kind `.undecodableBody`.
          // The parser reports the fault of a description that can't be read.
          guard let metadata = try? FeatherJSONDecoder().decode(Metadata.self, from: response.body) else { return }
          guard withoutSlash(metadata.issuer) == text else {
            throw untrusted("the description belongs to another issuer", metadata.issuer)
          }
          let urls = [metadata.tokenURL, metadata.authorizationURL, metadata.revocationURL, metadata.userInfoURL]
          if issuer.isSecure, let url = urls.compactMap({ $0 }).first(where: { !$0.isSecure }) {
            throw untrusted("the description names a URL without https", url.absoluteString)
          }
        }
      ]
    }
    return Request(path, options: options)
  }

  /// Removes one slash from the end. Issuers that differ only in this slash count as equal here, although RFC 8414,
  /// section 3.3, demands equal texts.
  private static func withoutSlash(_ text: String) -> String { text.hasSuffix("/") ? String(text.dropLast()) : text }

  /// The error of a description that can't be trusted.
  private static func untrusted(_ fault: String, _ url: String) -> BodyFailure {
    BodyFailure(description: "\(fault), \(Redaction.standard.url(url))")
  }
}

extension URL { fileprivate var isSecure: Bool { scheme?.lowercased() == "https" } }
