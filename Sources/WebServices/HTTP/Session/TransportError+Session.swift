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
    let cause = error is CancellationError ? (.cancelled, true) : code.flatMap { Self.causes[$0] } ?? (.other, true)
    var mayHaveReachedServer = cause.mayHaveReachedServer || response != nil
    switch foundation {
    case .apple: words = code.flatMap { Self.remedies[$0] }
    case .openSource:
      // The description is libcurl's message.
      words = TransportMessage.withoutUserInfo(bridged.localizedDescription)
      // Foundation makes the other codes of `errno`, which an earlier connection may have set.
      if cause.kind != .nameLookup { mayHaveReachedServer = true }
    }
    self.init(
      cause.kind, message: "\(bridged.domain) \(bridged.code)" + (words.map { ": \($0)" } ?? ""),
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

  /// The kinds of errors, and whether the request may have reached the server. Each other error is of another kind, and
  /// the request may have.
  private static let causes: [URLError.Code: (kind: Kind, mayHaveReachedServer: Bool)] = [
    .cancelled: (.cancelled, true), .timedOut: (.timedOut(.whole), true),
    .notConnectedToInternet: (.notConnected, false), .dataNotAllowed: (.notConnected, false),
    .internationalRoamingOff: (.notConnected, false), .callIsActive: (.notConnected, false),
    .cannotFindHost: (.nameLookup, false), .dnsLookupFailed: (.nameLookup, false),
    .cannotConnectToHost: (.cannotConnect, false),
    .secureConnectionFailed: (.tls, false), .serverCertificateHasBadDate: (.tls, false),
    .serverCertificateUntrusted: (.tls, false), .serverCertificateHasUnknownRoot: (.tls, false),
    .serverCertificateNotYetValid: (.tls, false), .clientCertificateRejected: (.tls, false),
    .clientCertificateRequired: (.tls, false), .networkConnectionLost: (.connectionLost, true),
    .badServerResponse: (.badFraming, true), .cannotParseResponse: (.badFraming, true),
    .cannotDecodeRawData: (.badEncoding, true), .cannotDecodeContentData: (.badEncoding, true),
    .dataLengthExceedsMaximum: (.tooLarge, true), .badURL: (.invalidRequest, false),
    .appTransportSecurityRequiresSecureConnection: (.invalidRequest, false),
    // The URL has been checked. Foundation on Linux gives this error for a response that isn't HTTP, too.
    .unsupportedURL: (.badFraming, true),
  ]
}
