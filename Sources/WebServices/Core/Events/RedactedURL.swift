extension RequestEvent {
  /// A URL whose description has no secrets. The secrets are searched for when the description is read.
  public struct RedactedURL: Sendable, DescriptionOnly {
    // One reference, because every event of a request has the same URL.
    private let boxed: Boxed<(raw: String, authority: String, redaction: Redaction)>

    /// Keeps a URL.
    ///
    /// - Parameters:
    ///   - url: the URL, or the text that was given for one.
    ///   - redaction: names the secrets that the description hides.
    public init(_ url: String, redaction: Redaction = .standard) {
      boxed = Boxed((url, (try? HTTPURL(url).origin)?.hostAndPort ?? "", redaction))
    }

    package init(_ url: URLForm, redaction: Redaction) {
      boxed = Boxed((url.text, url.parsed?.origin.hostAndPort ?? "", redaction))
    }

    /// The host in lower case and the port, `api.example.com:8443`, without user info and without the scheme's own
    /// port; empty for a text that isn't an `http` or `https` URL.
    public var authority: String { boxed.value.authority }

    /// The URL with its secrets hidden.
    public var description: String { boxed.value.redaction.url(boxed.value.raw) }
  }
}
