#if canImport(Security)
  import Foundation
  import Security

  /// Answers the challenges of servers and proxies, as a `TransportConfiguration` says.
  ///
  /// The values are kept as bytes. Objects of the Security framework are made when a connection needs them.
  struct FoundationChallenges: Sendable {
    /// The answer of a delegate to Foundation. With a failure, the transfer fails before anything is sent.
    typealias Response = (
      disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?, failure: String?
    )

    /// Certificates in DER that replace the system's trusted ones.
    private var anchors: [Data]?
    /// The digests of the public keys that a server may have; empty for any.
    private let pins: Set<Data>
    /// The bytes of a PKCS #12 file and its password.
    private var identity: (file: Data, password: String)?
    private var proxy: ProxyAddress?

    /// - Throws: the setting whose file the system can't read.
    init(_ configuration: TransportConfiguration) throws(TransportConfiguration.InvalidSetting) {
      pins = Set(try configuration.pinnedDigests)
      if case .file(let path) = configuration.trust { anchors = try Self.certificates(at: path) }
      if case .url(let url) = configuration.proxy { proxy = ProxyAddress(url) }
      if case .pkcs12(let path, let password) = configuration.clientCertificate {
        identity = (FileManager.default.contents(atPath: path) ?? Data(), password)
        guard clientCredential != nil else {
          throw TransportConfiguration.InvalidSetting(
            "clientCertificate", "the file can't be read as PKCS #12 with the password that is given")
        }
      }
    }

    /// Decides about a challenge, which may block: the system may look for certificates in the network.
    ///
    /// - Parameter challenges: the answers of a configuration; `nil` if the system answers.
    static func respond(to challenge: URLAuthenticationChallenge, by challenges: FoundationChallenges?) -> Response {
      let space = challenge.protectionSpace
      switch space.authenticationMethod {
      case NSURLAuthenticationMethodServerTrust:
        guard let trust = space.serverTrust, let challenges, challenges.anchors != nil || !challenges.pins.isEmpty
        else { break }
        if let failure = challenges.failure(of: trust) { return (.cancelAuthenticationChallenge, nil, failure) }
        return (.useCredential, URLCredential(trust: trust), nil)
      case NSURLAuthenticationMethodClientCertificate:
        if let credential = challenges?.clientCredential { return (.useCredential, credential, nil) }
      default:
        // The engine decides about credentials of a server, when it sees the 401.
        guard space.isProxy() else { return (.rejectProtectionSpace, nil, nil) }
        // A second challenge means that the proxy has refused the user, and it would refuse the same answer again.
        guard let proxy = challenges?.proxy, let user = proxy.user, challenge.previousFailureCount == 0 else { break }
        let credential = URLCredential(user: user, password: proxy.password ?? "", persistence: .forSession)
        return (.useCredential, credential, nil)
      }
      return (.performDefaultHandling, nil, nil)
    }

    /// Why the server isn't trusted; `nil` if it is.
    private func failure(of trust: SecTrust) -> String? {
      if let anchors {
        let certificates = anchors.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        SecTrustSetAnchorCertificates(trust, certificates as CFArray)
        SecTrustSetAnchorCertificatesOnly(trust, true)
      }
      guard SecTrustEvaluateWithError(trust, nil) else { return "the server's certificate isn't trusted" }
      if pins.isEmpty { return nil }
      guard let leaf = (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first,
        let key = PublicKeyInfo.bytes(of: SecCertificateCopyData(leaf) as Data), pins.contains(Data(SHA256.hash(key)))
      else { return "the server's public key isn't one of the pinned keys" }
      return nil
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
    private static func certificates(at path: String) throws(TransportConfiguration.InvalidSetting) -> [Data] {
      let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let certificates = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
        part.range(of: "-----END CERTIFICATE-----").flatMap { end in
          Data(base64Encoded: String(part[..<end.lowerBound]), options: .ignoreUnknownCharacters)
        }
      }
      guard !certificates.isEmpty, certificates.allSatisfy({ PublicKeyInfo.bytes(of: $0) != nil })
      else { throw TransportConfiguration.InvalidSetting("trust", "the file \(path) has no certificate in PEM") }
      return certificates
    }
  }
#endif
