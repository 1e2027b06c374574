#if os(Linux)
  internal import CurlShim

  /// The facts of a transfer that libcurl ended, and their meaning.
  struct CurlFailure: Sendable {
    /// The `CURLcode`.
    var code: Int
    /// libcurl's own words.
    var message: String
    /// `errno` of the connection's failure; 0 for none.
    var systemError: Int32 = 0
    /// Whether a byte of the request was written to a connection to the server.
    var wasSent: Bool
    /// Whether the final head had come.
    var hasHead: Bool

    /// The meaning of the code.
    var kind: TransportError.Kind {
      switch code {
      case 3, 43, 67: .invalidRequest
      // libcurl calls it a lack of memory when a head is larger than libcurl takes.
      case 27 where !hasHead: wasSent ? .tooLarge : .invalidRequest
      case 1: wasSent ? .notHTTPResponse : .invalidRequest
      case 5, 6: .nameLookup
      case 7: systemError == CurlFailure.networkUnreachable ? .notConnected : .cannotConnect
      case 97: .cannotConnect
      case 8: .badFraming
      case 16, 92: hasHead ? .truncated : wasSent ? .connectionLost : .badFraming
      case 18: .truncated
      case 61: .badEncoding
      case 28: .timedOut(.connect)
      case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .tls
      case 52, 55, 65: .connectionLost
      case 56: receivingKind
      case 63, 100: .tooLarge
      default: .other
      }
    }

    /// Code 56 means a bad chunk or a reset.
    private var receivingKind: TransportError.Kind {
      if message.contains("Too large") { return .tooLarge }
      if message.contains("chunk") || message.contains("header") || message.contains("Content-Length") {
        return .badFraming
      }
      if message.contains("CONNECT") { return .cannotConnect }
      return hasHead ? .truncated : .connectionLost
    }

    /// Whether the request may have reached the server. It can't have without a connection.
    var mayHaveReachedServer: Bool {
      switch kind {
      case .nameLookup, .cannotConnect, .notConnected, .invalidRequest, .timedOut(.connect): false
      default: wasSent
      }
    }

    /// The error to report.
    func error(response: WebServiceResponse?) -> TransportError {
      let isLargeHead = code == 27 && !hasHead
      return TransportError(
        kind,
        message: isLargeHead
          ? "the head of the \(wasSent ? "response" : "request") is larger than libcurl accepts"
          : message,
        mayHaveReachedServer: mayHaveReachedServer, response: response,
        underlying: CurlError(code: code, message: message))
    }

    private static let networkUnreachable: Int32 = 101
  }

  /// An option that libcurl refused: nothing is sent without it.
  ///
  /// Some refused options don't count, since the same request goes out as safely without them: see `init`.
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
    private static let unknownOption = 48

    /// - Parameters:
    ///   - option: the number of the option.
    ///   - code: the `CURLcode` of `curl_easy_setopt`.
    ///   - isOff: whether the value switches the option off. Nothing is lost if this libcurl doesn't know such an
    ///     option.
    /// - Returns: `nil` if the request may be sent.
    init?(option: Int, code: Int, isOff: Bool) {
      guard code != 0, !Self.dispensable.contains(option) else { return nil }
      if isOff, code == Self.notBuiltIn || code == Self.unknownOption { return nil }
      self.option = option
      self.code = code
    }

    /// The purpose of the option, if the caller chooses its value.
    private var purpose: String {
      switch option {
      case curlOptionPinnedPublicKey: "pinned public keys"
      case curlOptionCAFile, curlOptionCADirectory: "trusted certificates"
      case curlOptionProxyCAFile, curlOptionProxyCADirectory: "trusted certificates of the proxy"
      case curlOptionTLSVersion, curlOptionProxyTLSVersion: "the minimum TLS version"
      case curlOptionVerifyPeer, curlOptionVerifyHost, curlOptionProxyVerifyPeer, curlOptionProxyVerifyHost:
        "the verification of certificates"
      case curlOptionClientCertificate, curlOptionClientCertificateType, curlOptionClientKey, curlOptionKeyPassword:
        "the client certificate"
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
      return .unsent(
        code == curlCodeOutOfMemory ? .other : .invalidRequest,
        "libcurl refused option \(option) for \(purpose): \(words)", cause: CurlError(code: code, message: words))
    }
  }

  /// An error of libcurl's own.
  struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `CURLcode`.
    let code: Int
    /// libcurl's own words.
    let message: String

    var description: String { "libcurl \(code): \(message)" }
  }
#endif
