#if canImport(Security)
  import Foundation
  import Security

  /// The calls of Apple's Security framework that carry out the decisions.
  extension FoundationChallenges {
    /// What a delegate tells Foundation. With a failure, the transfer fails before anything is sent.
    typealias Response = (
      disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?, failure: String?
    )

    /// Refuses an identity that the system can't read.
    func check() throws(TransportConfigurationError) {
      guard identity == nil || clientCredential != nil else {
        throw TransportConfigurationError(
          "clientCertificate", "the file can't be read as PKCS #12 with the password that is given")
      }
    }

    func respond(to challenge: URLAuthenticationChallenge) -> Response {
      let space = challenge.protectionSpace
      switch answer(to: challenge.kind) {
      case .system: return (.performDefaultHandling, nil, nil)
      case .reject: return (.rejectProtectionSpace, nil, nil)
      case .checkTrust:
        guard let trust = space.serverTrust else { return (.performDefaultHandling, nil, nil) }
        if let failure = failure(of: trust) { return (.cancelAuthenticationChallenge, nil, failure) }
        return (.useCredential, URLCredential(trust: trust), nil)
      case .identity:
        guard let credential = clientCredential else { return (.performDefaultHandling, nil, nil) }
        return (.useCredential, credential, nil)
      case .user(let name, let password):
        return (.useCredential, URLCredential(user: name, password: password, persistence: .forSession), nil)
      }
    }

    /// Why the server isn't trusted; `nil` if it is.
    private func failure(of trust: SecTrust) -> String? {
      if let anchors {
        let certificates = anchors.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        SecTrustSetAnchorCertificates(trust, certificates as CFArray)
        SecTrustSetAnchorCertificatesOnly(trust, true)
      }
      guard SecTrustEvaluateWithError(trust, nil) else { return "the server's certificate isn't trusted" }
      let leaf = (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first
      guard let leaf, isPinned(SecCertificateCopyData(leaf) as Data) else {
        return "the server's public key isn't one of the pinned keys"
      }
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
  }

  extension URLAuthenticationChallenge {
    fileprivate var kind: FoundationChallenges.Kind {
      switch protectionSpace.authenticationMethod {
      case NSURLAuthenticationMethodServerTrust: .serverTrust
      case NSURLAuthenticationMethodClientCertificate: .clientCertificate
      default: .password(isProxy: protectionSpace.isProxy(), failureCount: previousFailureCount)
      }
    }
  }
#endif
