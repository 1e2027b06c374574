package import Foundation

/// A URL in its original form: parsed by the engine, or a caller's `URL`. Making a `URL` is slow, so a parsed one is
/// converted only when somebody reads `url`.
package enum URLForm: Sendable {
  case parsed(HTTPURL)
  case foundation(URL)

  /// The URL in Foundation's form, without a fragment if it is parsed.
  var url: URL {
    switch self {
    case .parsed(let url): url.url
    case .foundation(let url): url
    }
  }

  /// The parsed URL; `nil` for a URL that isn't an absolute `http` or `https` URL.
  package var parsed: HTTPURL? {
    switch self {
    case .parsed(let url): url
    // A caller of a transport decides whether dot segments are sent.
    case .foundation(let url): try? HTTPURL(URLReference(url.absoluteString), keepsDotSegments: true)
    }
  }

  /// The normalized URL; unchanged if it can't be parsed.
  package var normalizedText: String { parsed?.text ?? text }

  /// The URL in its original form.
  package var text: String {
    switch self {
    case .parsed(let url): url.text
    case .foundation(let url): url.absoluteString
    }
  }
}

extension HTTPURL {
  /// Foundation's form of the URL. Foundation takes every text of an `HTTPURL`; if it ever refuses one, no transport
  /// takes the file URL.
  package var url: URL { URL(string: text) ?? URL(fileURLWithPath: "/") }
}
