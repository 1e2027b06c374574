import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportError {
  /// Makes a session's error one of the library's. On Linux libcurl's message tells more than Foundation's code.
  package init(
    sessionError error: any Error, response: WebServiceResponse?, from foundation: FoundationKind = Platform.foundation
  ) {
    if let error = error as? TransportError {
      self = error
      return
    }
    let bridged = error as NSError
    let code = (error as? URLError)?.code
    let words: String?
    var known: (kind: Kind, mayHaveReachedServer: Bool)?
    switch foundation {
    case .apple: words = code.flatMap { Self.remedies[$0] }
    case .openSource:
      // The description is libcurl's message.
      words = TransportMessage.withoutUserInfo(bridged.localizedDescription)
      if code != nil { known = LibcurlMessage(bridged.localizedDescription).cause(hasHead: response != nil) }
    }
    let (kind, mayHaveReachedServer) = known ?? Self.classify(error, hasHead: response != nil)
    self.init(
      kind, message: "\(bridged.domain) \(bridged.code)" + (words.map { ": \($0)" } ?? ""),
      mayHaveReachedServer: mayHaveReachedServer, response: response, underlying: error)
  }

  /// The remedies of errors that Apple's own descriptions don't explain.
  private static let remedies: [URLError.Code: String] = [
    .appTransportSecurityRequiresSecureConnection:
      "App Transport Security allows no http here; use https, or add the host to NSAppTransportSecurity in Info.plist",
    .secureConnectionFailed:
      "the TLS handshake failed; App Transport Security also refuses TLS below 1.2 and ciphers without forward secrecy",
    .serverCertificateUntrusted: "the server's certificate isn't trusted, or is for another host",
    .clientCertificateRequired: "the server asks for a client certificate; set clientCertificate of the transport",
  ]

  /// The kind of an error, and whether the request may have reached the server.
  private static func classify(_ error: any Error, hasHead: Bool) -> (kind: Kind, mayHaveReachedServer: Bool) {
    if error is CancellationError { return (.cancelled, true) }
    guard let error = error as? URLError else { return (.other, true) }
    let (kind, mayHaveReachedServer) = classify(error.code)
    return (kind, mayHaveReachedServer || hasHead)
  }

  private static func classify(_ code: URLError.Code) -> (Kind, Bool) {
    switch code {
    case .cancelled: return (.cancelled, true)
    case .timedOut: return (.timedOut(.whole), true)
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
      return (.notConnected, false)
    case .cannotFindHost, .dnsLookupFailed: return (.nameLookup, false)
    case .cannotConnectToHost: return (.cannotConnect, false)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      return (.tls, false)
    case .networkConnectionLost: return (.connectionLost, true)
    case .badServerResponse, .cannotParseResponse: return (.badFraming, true)
    case .cannotDecodeRawData, .cannotDecodeContentData: return (.badEncoding, true)
    case .dataLengthExceedsMaximum: return (.tooLarge, true)
    case .badURL, .appTransportSecurityRequiresSecureConnection: return (.invalidRequest, false)
    // The URL has been checked. Foundation on Linux gives this error for a response that isn't HTTP, too.
    case .unsupportedURL: return (.badFraming, true)
    default: return (.other, true)
    }
  }
}

/// Finds the cause of an error in the message of libcurl, which Foundation passes on. Foundation's code isn't enough:
/// -1 stands for TLS, truncation, a bad chunk and more.
struct LibcurlMessage {
  private let text: String

  init(_ text: String) {
    self.text = text.lowercased()
  }

  /// The cause of the error. Messages that name a host are tried first, since a host may have any name.
  func cause(hasHead: Bool) -> (kind: TransportError.Kind, mayHaveReachedServer: Bool)? {
    if contains("could not resolve", "couldn't resolve") { return (.nameLookup, false) }
    if contains("network is unreachable") { return (.notConnected, false) }
    if contains("failed to connect", "couldn't connect", "no route to host") { return (.cannotConnect, false) }
    if contains("ssl_read", "ssl_write", "recv failure", "send failure", "failure when receiving", "failed sending") {
      return (hasHead ? .truncated : .connectionLost, true)
    }
    if contains("certificate", "ssl_connect", "ssl connect", "ssl routines", "handshake") { return (.tls, hasHead) }
    if contains("ssl", "tls") { return (.tls, true) }
    if contains("bytes remaining to read", "outstanding read data", "bytes missing") { return (.truncated, true) }
    if contains("encoding type", "content unencoding", "content decoding") { return (.badEncoding, true) }
    if contains("too large", "exceeded", "overflow") { return (.tooLarge, true) }
    if contains("empty reply") { return (.connectionLost, true) }
    let framing = [
      "chunk", "content-length", "header", "http/0.9", "http version", "weird server", "nul byte", "status line",
    ]
    return framing.contains { text.contains($0) } ? (.badFraming, true) : nil
  }

  private func contains(_ parts: String...) -> Bool {
    parts.contains { text.contains($0) }
  }
}

/// Hides user info in messages of libcurl and Foundation, which may quote a proxy's address with its password.
package enum TransportMessage {
  /// The words without user info.
  ///
  /// - Parameter proxies: the configured addresses of the proxies. Nothing else finds a malformed address.
  package static func withoutUserInfo(_ words: String, proxies: [String] = []) -> String {
    let known = proxies.filter { !$0.isEmpty }.reduce(words) { words, proxy in
      words.replacingOccurrences(of: proxy, with: address(proxy))
    }
    return known.split(separator: " ", omittingEmptySubsequences: false).map(address).joined(separator: " ")
  }

  /// A word that may be an address, without the text before its last `@`.
  package static func address(_ word: some StringProtocol) -> String {
    guard let at = word.lastIndex(of: "@") else { return String(word) }
    let scheme = word[..<at].range(of: "//")?.upperBound
    let start = scheme ?? word.firstIndex { !"'\"`(<".contains($0) } ?? word.startIndex
    return "\(word[..<min(start, at)])\(Redaction.placeholder)\(word[at...])"
  }
}
