import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLError.Code {
  /// The reason for a code whose number says too little, and the remedy. Apple's own descriptions are for users, and in
  /// the user's language.
  var cause: String? {
    switch self {
    case .appTransportSecurityRequiresSecureConnection:
      "App Transport Security allows no http here; use https, or add the host to NSAppTransportSecurity in Info.plist"
    case .secureConnectionFailed:
      "the TLS handshake failed; App Transport Security also refuses TLS below 1.2 and ciphers without forward secrecy"
    case .serverCertificateHasBadDate: "the server's certificate has expired, or this device's clock is wrong"
    case .serverCertificateNotYetValid: "the server's certificate isn't valid yet, or this device's clock is wrong"
    case .serverCertificateUntrusted: "the server's certificate isn't trusted, or is for another host"
    case .serverCertificateHasUnknownRoot: "the server's certificate is signed by an authority that isn't trusted"
    case .clientCertificateRequired: "the server asks for a client certificate; set clientCertificate of the transport"
    case .clientCertificateRejected: "the server rejected the client certificate"
    case .notConnectedToInternet:
      "there is no network, or the session doesn't allow the kind of network (cellular, expensive or constrained)"
    case .dataNotAllowed: "the system allows no cellular data"
    case .internationalRoamingOff: "data roaming is off"
    case .callIsActive: "a phone call is active, and the cellular network carries no data meanwhile"
    default: nil
    }
  }
}
