#if os(Linux)
  internal import CurlShim

  /// An option that libcurl refused: nothing is sent without it.
  ///
  /// Refused options without which the same request goes out as safely don't count: see `init`.
  struct CurlRefusal: Equatable, Sendable {
    let option: Int
    /// The `CURLcode`.
    let code: Int

    /// These options only make transfers quicker, free resources earlier or explain failures.
    private static let dispensable: Set<Int> = [
      curlOptionErrorBuffer, curlOptionTCPKeepAlive, curlOptionTCPKeepIdle, curlOptionTCPKeepInterval,
      curlOptionBufferSize, curlOptionUploadBufferSize, curlOptionPipeWait, curlOptionConnectionAge,
      curlOptionQuickExit,
    ]

    private static let notBuiltIn = 4
    private static let outOfMemory = 27
    private static let unknownOption = 48

    /// - Parameters:
    ///   - option: the number of the option.
    ///   - code: the `CURLcode` of `curl_easy_setopt`.
    ///   - isOff: whether the value switches the option off. Where this libcurl doesn't have what it would switch on,
    ///     nothing is lost.
    /// - Returns: `nil` where the request may be sent.
    init?(option: Int, code: Int, isOff: Bool) {
      guard code != 0, !Self.dispensable.contains(option) else { return nil }
      if isOff, code == Self.notBuiltIn || code == Self.unknownOption { return nil }
      self.option = option
      self.code = code
    }

    /// What the option is for, where the caller decides it.
    private var purpose: String {
      switch option {
      case curlOptionPinnedPublicKey: "pinned public keys"
      case curlOptionCAFile, curlOptionCADirectory: "trusted certificates"
      case curlOptionProxyCAFile, curlOptionProxyCADirectory: "trusted certificates of the proxy"
      case curlOptionTLSVersion, curlOptionProxyTLSVersion: "the minimum TLS version"
      case curlOptionVerifyPeer, curlOptionVerifyHost, curlOptionProxyVerifyPeer, curlOptionProxyVerifyHost:
        "the verification of certificates"
      case curlOptionClientCertificate, curlOptionClientKey, curlOptionKeyPassword: "the client certificate"
      case curlOptionUnixSocketPath: "the Unix domain socket"
      case curlOptionProxy, curlOptionNoProxy: "the proxy"
      case curlOptionResolve: "the addresses"
      case curlOptionURL: "the URL"
      case curlOptionHeaders: "the header fields"
      case curlOptionPostFields, curlOptionCopyPostFields, curlOptionPostFieldSize: "the body"
      default: "what the request needs"
      }
    }

    /// The error of a request that isn't sent for it.
    var error: TransportError {
      let words = String(cString: curlShimEasyMessage(Int32(truncatingIfNeeded: code)))
      let message = "libcurl refused option \(option) for \(purpose): \(words)"
      return TransportError(
        code == Self.outOfMemory ? .other : .invalidRequest, message: message, mayHaveReachedServer: false,
        underlying: CurlError(code: code, message: words))
    }
  }
#endif
