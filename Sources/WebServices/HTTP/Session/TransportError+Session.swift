import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportError {
  /// Makes a session's error one of the library's.
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
    var (kind, mayHaveReachedServer) = Self.classify(error, hasHead: response != nil)
    switch foundation {
    case .apple: words = code.flatMap { Self.remedies[$0] }
    case .openSource:
      // The description is libcurl's message.
      words = TransportMessage.withoutUserInfo(bridged.localizedDescription)
      // Foundation makes the other codes of `errno`, which an earlier connection may have set.
      if kind != .nameLookup { mayHaveReachedServer = true }
    }
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
