/// A URL whose description has no secrets. The secrets are searched for when the description is read.
public struct RedactedURL: Sendable {
  /// The values behind one reference, because every event of a request has the same URL.
  private final class Content: Sendable {
    let raw: String
    let hostAndPort: String
    let redaction: Redaction

    init(raw: String, origin: URLOrigin?, redaction: Redaction) {
      self.raw = raw
      hostAndPort = origin?.hostAndPort ?? ""
      self.redaction = redaction
    }
  }

  private let content: Content

  /// Keeps a URL.
  ///
  /// - Parameters:
  ///   - url: the URL, or the text that was given for one.
  ///   - redaction: names the secrets that the description hides.
  public init(_ url: String, redaction: Redaction = .standard) {
    content = Content(raw: url, origin: try? HTTPURL(url).origin, redaction: redaction)
  }

  package init(_ url: URLForm, redaction: Redaction) {
    content = Content(raw: url.text, origin: url.parsed?.origin, redaction: redaction)
  }

  /// The host in lower case and the port, `api.example.com:8443`, without user info and without the scheme's own port;
  /// empty for a text that isn't an `http` or `https` URL.
  public var authority: String { content.hostAndPort }
}

extension RedactedURL: DescriptionOnly {
  /// The URL with its secrets hidden.
  public var description: String { content.redaction.url(content.raw) }
}
