#if canImport(Darwin)
  import Foundation
  import Security

  /// Answers the challenges of servers and proxies for a `FoundationSession`, as its `TransportConfiguration` says.
  ///
  /// The values are kept as bytes. Objects of the Security framework are made when a connection needs them.
  struct FoundationChallenges: Sendable {
    /// The decision about a challenge.
    enum Answer {
      /// The system decides.
      case system
      case credential(URLCredential)
      case reject
      /// The server isn't trusted: the transfer fails.
      case untrusted(String)
    }

    /// Certificates in DER that replace the system's trusted ones.
    private var anchors: [Data]?
    private var pins: Set<Data> = []
    private var identity: (file: Data, password: String)?
    private var proxyUser: (name: String, password: String)?

    init() {}

    init(_ configuration: TransportConfiguration) throws(TransportConfigurationError) {
      pins = Set(try configuration.pinnedDigests)
      if case .file(let path) = configuration.trust { anchors = try Self.certificates(at: path) }
      if case .pkcs12(let path, let password) = configuration.clientCertificate {
        identity = (FileManager.default.contents(atPath: path) ?? Data(), password)
        guard clientCredential != nil else {
          throw TransportConfigurationError(
            "clientCertificate", "\(path) can't be read as PKCS #12 with the password that is given")
        }
      }
      if case .url(let url) = configuration.proxy, let address = ProxyAddress(url), let user = address.user {
        proxyUser = (user, address.password ?? "")
      }
    }

    func answer(_ challenge: URLAuthenticationChallenge) -> Answer {
      let space = challenge.protectionSpace
      switch space.authenticationMethod {
      case NSURLAuthenticationMethodServerTrust:
        guard let trust = space.serverTrust, anchors != nil || !pins.isEmpty else { return .system }
        return answer(trust)
      case NSURLAuthenticationMethodClientCertificate:
        return clientCredential.map { .credential($0) } ?? .system
      default:
        // The engine decides about credentials of a server, when it sees the 401.
        guard space.isProxy() else { return .reject }
        // A second challenge means that the proxy has refused the user, and it would refuse the same answer again.
        guard let proxyUser, challenge.previousFailureCount == 0 else { return .system }
        return .credential(
          URLCredential(user: proxyUser.name, password: proxyUser.password, persistence: .forSession))
      }
    }

    private func answer(_ trust: SecTrust) -> Answer {
      if let anchors {
        let certificates = anchors.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        SecTrustSetAnchorCertificates(trust, certificates as CFArray)
        SecTrustSetAnchorCertificatesOnly(trust, true)
      }
      guard SecTrustEvaluateWithError(trust, nil) else {
        return .untrusted("the server's certificate isn't trusted")
      }
      guard pins.isEmpty || Self.keyDigest(of: trust).map(pins.contains) ?? false else {
        return .untrusted("the server's public key isn't one of the pinned keys")
      }
      return .credential(URLCredential(trust: trust))
    }

    private static func keyDigest(of trust: SecTrust) -> Data? {
      guard let leaf = (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first,
        let key = PublicKeyInfo.bytes(of: SecCertificateCopyData(leaf) as Data)
      else { return nil }
      return Data(SHA256.hash(key))
    }

    private var clientCredential: URLCredential? {
      guard let identity else { return nil }
      let options = [kSecImportExportPassphrase as String: identity.password] as CFDictionary
      var items: CFArray?
      guard SecPKCS12Import(identity.file as CFData, options, &items) == errSecSuccess,
        let first = (items as? [[String: Any]])?.first, let found = first[kSecImportItemIdentity as String],
        CFGetTypeID(found as CFTypeRef) == SecIdentityGetTypeID()
      else { return nil }
      let chain = first[kSecImportItemCertChain as String] as? [Any]
      // The type has been checked; Swift has no conditional cast to a type of Core Foundation.
      let certificate = unsafeDowncast(found as AnyObject, to: SecIdentity.self)
      return URLCredential(
        identity: certificate, certificates: chain.map { Array($0.dropFirst()) }, persistence: .forSession)
    }

    /// The certificates of a file in PEM, in DER.
    private static func certificates(at path: String) throws(TransportConfigurationError) -> [Data] {
      let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let certificates = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
        part.range(of: "-----END CERTIFICATE-----").flatMap { end in
          Data(base64Encoded: String(part[..<end.lowerBound]), options: .ignoreUnknownCharacters)
        }
      }
      guard !certificates.isEmpty, certificates.allSatisfy({ SecCertificateCreateWithData(nil, $0 as CFData) != nil })
      else { throw TransportConfigurationError("trust", "the file \(path) has no certificate in PEM") }
      return certificates
    }
  }
#endif
