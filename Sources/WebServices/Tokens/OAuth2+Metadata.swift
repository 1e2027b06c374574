public import Foundation

extension OAuth2 {
  /// A description of a server that gives tokens, as the server publishes it (RFC 8414, OpenID Connect Discovery).
  ///
  /// ```swift
  /// let request = OAuth2.MetadataRequest(issuer: issuer)
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

    fileprivate var endpoints: [URL] { [tokenURL] + [authorizationURL, revocationURL, userInfoURL].compactMap { $0 } }

    private enum CodingKeys: String, CodingKey {
      case issuer
      case authorizationURL = "authorization_endpoint"
      case tokenURL = "token_endpoint"
      case revocationURL = "revocation_endpoint"
      case userInfoURL = "userinfo_endpoint"
    }
  }

  /// Requests the description of a server that gives tokens. Its response is an ``OAuth2/Metadata``.
  ///
  /// A description of another issuer fails (RFC 8414, section 3.3), and so does the description of an `https` issuer that
  /// names a URL without `https`. Both errors are of kind ``WebServiceError/Kind/invalidResponse``.
  public struct MetadataRequest: WebServiceRequestData {
    /// The document in which a server publishes its description.
    public enum Document: String, Hashable, Sendable {
      /// `.well-known/openid-configuration` below the issuer (OpenID Connect Discovery, section 4).
      case openID = "openid-configuration"
      /// `.well-known/oauth-authorization-server` before the issuer's path (RFC 8414, section 3).
      case oauth = "oauth-authorization-server"
    }

    /// The server.
    public let issuer: URL
    /// The document that is requested.
    public let document: Document

    /// Creates the request. Each parameter sets the property of the same name.
    public init(issuer: URL, document: Document = .openID) {
      self.issuer = issuer
      self.document = document
    }

    /// The URL of the document.
    public var path: String {
      let text = Self.withoutSlash(issuer.absoluteString)
      guard document == .oauth, let url = try? HTTPURL(text) else { return "\(text)/.well-known/\(document.rawValue)" }
      return url.origin.text + "/.well-known/\(document.rawValue)" + Self.withoutSlash(String(url.path))
    }

    /// A check that the description is the issuer's own.
    public var options: RequestOptions {
      RequestOptions {
        // The configuration's decoder may convert names.
        $0.decoder = JSONDecoder()
        $0.validators = [
          ResponseValidator { [issuer] response in
            // Decoded here and once more by the parser: a parser's error would be of kind `.undecodableBody`.
            // The parser reports the fault of a description that can't be read.
            guard let metadata = try? FeatherJSONDecoder().decode(OAuth2.Metadata.self, from: response.body) else {
              return
            }
            guard Self.withoutSlash(metadata.issuer) == Self.withoutSlash(issuer.absoluteString) else {
              throw UntrustedMetadata("the description belongs to another issuer", metadata.issuer)
            }
            if issuer.isSecure, let url = metadata.endpoints.first(where: { !$0.isSecure }) {
              throw UntrustedMetadata("the description names a URL without https", url.absoluteString)
            }
          }
        ]
      }
    }

    /// Removes one slash from the end. Issuers that differ only in this slash count as equal here, although RFC 8414,
    /// section 3.3, demands equal texts.
    private static func withoutSlash(_ text: String) -> String { text.hasSuffix("/") ? String(text.dropLast()) : text }
  }
}

/// The error of a description that can't be trusted.
private struct UntrustedMetadata: DescribedByLibrary, CustomStringConvertible {
  let description: String

  init(_ fault: String, _ url: String) { description = "\(fault), \(Redaction.standard.url(url))" }
}

extension URL { fileprivate var isSecure: Bool { scheme?.lowercased() == "https" } }
