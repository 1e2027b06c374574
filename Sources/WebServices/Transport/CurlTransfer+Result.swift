#if os(Linux)
  import Foundation

  /// The result of a transfer. Only the thread that drives libcurl calls these functions.
  extension CurlTransfer {
    /// The part of the response that has arrived; `nil` before the end of its head.
    func response(metrics: WebServiceResponse.Metrics?) -> WebServiceResponse? {
      guard head.isComplete else { return nil }
      var headers = head.headers
      if decoder != nil { headers.removeDecoded() }
      var response = WebServiceResponse(
        statusCode: head.statusCode, headers: headers, url: request.urlForm, body: body, metrics: metrics)
      // Each change of a response makes a new object, so the usual value isn't set.
      if decoder != nil { response.isDecoded = true }
      return response
    }

    /// The result of the transfer. Call this before the handle is released, because the handle has libcurl's figures.
    func result(code: Int) -> Result<WebServiceResponse, TransportError> {
      if code == 0, !hasResponse, decoder?.isAtEnd == false {
        fail(.sent(.truncated, "the compressed content is cut off"))
      }
      let metrics = handle?.metrics
      let response = response(metrics: metrics)
      if var error = failure {
        error.mayHaveReachedServer = wasSent
        error.response = response
        return .failure(error)
      }
      // CURLE_SEND_ERROR, CURLE_HTTP2_STREAM: the server responds, and wants no more of the request's body.
      if code == 0 || hasResponse || [55, 92].contains(code) && isWhole, let response {
        if let metrics { reportProgress(received: metrics.bytesReceived, sent: metrics.bytesSent) }
        return .success(response)
      }
      guard code != 0 else {
        // libcurl reports success for a head that breaks off, as for a response without content.
        let message = "the connection was closed within the head"
        return .failure(TransportError(.connectionLost, message: message, mayHaveReachedServer: wasSent))
      }
      let failure = CurlFailure(
        code: code, message: handle?.message(code: Int32(code)) ?? "", systemError: handle?.systemError ?? 0,
        unixSocketPath: handle?.loop.configuration.unixSocketPath, wasSent: wasSent, hasHead: head.isComplete)
      var error = failure.error(response: response)
      // libcurl names the code with which a server resets a stream. The connection may be sound.
      let isStale = error.kind == .connectionLost && !failure.message.contains("(err") && !head.hasBegun
      error.isStaleConnection = isStale && handle?.isReused == true
      return .failure(error)
    }

    /// Whether all of the content has come.
    private var isWhole: Bool {
      head.contentLength.map { $0 == codedCount } ?? (codedCount > 0 && decoder?.isAtEnd == true)
    }

    /// Whether a byte of the request was written to a connection to the server.
    var wasSent: Bool {
      guard let handle else { return false }
      // libcurl's size includes a CONNECT to a proxy. The server has nothing before `hasOpened` is set.
      return (hasOpened || !handle.loop.hasPrerequest) && handle.requestSize > 0
    }
  }

  /// The failure of a transfer as libcurl reports it, and what had been sent by then. `error(response:)` makes a
  /// `TransportError` of these facts.
  struct CurlFailure: Sendable {
    /// The `CURLcode`.
    var code: Int
    /// libcurl's own words.
    var message: String
    /// `errno` of the connection's failure; 0 for none.
    var systemError: Int32 = 0
    /// The path that the session connects to; `nil` for hosts.
    var unixSocketPath: String?
    /// Whether a byte of the request was written to a connection to the server.
    var wasSent: Bool
    /// Whether the final head had come.
    var hasHead: Bool

    /// The meaning of the code.
    var kind: TransportError.Kind {
      switch code {
      // In TLS 1.3 a server refuses the client's certificate after the client has sent its request.
      case _ where [16, 55, 56, 92].contains(code) && !hasHead && message.contains("alert"): .tls
      // CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_SETOPT_OPTION_SYNTAX, CURLE_LOGIN_DENIED: after
      // sending, the second one means a line of a head or a trailer that libcurl can't read.
      case 3, 43, 49, 67: wasSent ? .badFraming : .invalidRequest
      // CURLE_SSL_CERTPROBLEM: the client's own certificate or key.
      case 58 where !wasSent: .invalidRequest
      // CURLE_OUT_OF_MEMORY, which libcurl returns before 8.6 for a head that exceeds one of its limits, and
      // CURLE_TOO_LARGE, which it returns from then on.
      case 27 where !hasHead, 100 where !hasHead: wasSent ? .tooLarge : .invalidRequest
      // CURLE_UNSUPPORTED_PROTOCOL: after sending, it means a response without a status line (HTTP/0.9).
      case 1: wasSent ? .notHTTPResponse : .invalidRequest
      // CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST
      case 5, 6: .nameLookup
      // CURLE_COULDNT_CONNECT
      case 7: systemError == ENETUNREACH ? .notConnected : .cannotConnect
      // CURLE_PROXY
      case 97: .cannotConnect
      // CURLE_WEIRD_SERVER_REPLY
      case 8: .badFraming
      // CURLE_HTTP2, CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM: over HTTP/2 the second one may come before the head.
      case 16, 18, 92: hasHead ? .truncated : wasSent ? .connectionLost : .badFraming
      // CURLE_BAD_CONTENT_ENCODING
      case 61: .badEncoding
      // CURLE_OPERATION_TIMEDOUT: libcurl is given no other timeout.
      case 28: .timedOut(.connect)
      // CURLE_SSL_… and CURLE_PEER_FAILED_VERIFICATION
      case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .tls
      // CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND
      case 52, 55, 65: .connectionLost
      // CURLE_RECV_ERROR
      case 56: receivingKind
      // CURLE_TOO_LARGE
      case 100: .tooLarge
      default: .other
      }
    }

    /// The meaning of CURLE_RECV_ERROR, which libcurl returns for a bad chunk as for a reset. Only its words differ.
    private var receivingKind: TransportError.Kind {
      if message.contains("Too large") { return .tooLarge }
      if message.contains("chunk") || message.contains("header") || message.contains("Content-Length") {
        return .badFraming
      }
      if message.contains("CONNECT") { return .cannotConnect }
      return hasHead ? .truncated : .connectionLost
    }

    /// The error to report. Whether the server may have the request depends on what was written, never on the code:
    /// libcurl may fail to connect after it has sent the request over a connection that was closed.
    func error(response: WebServiceResponse?) -> TransportError {
      let setting = code == 58 && !wasSent ? TransportConfiguration.InvalidSetting("clientCertificate", message) : nil
      return TransportError(
        kind, message: setting?.description ?? words, mayHaveReachedServer: wasSent, response: response,
        underlying: setting ?? NSError(domain: "libcurl", code: code))
    }

    private var words: String {
      if code == 27 || code == 100, !hasHead {
        return "libcurl has no room for the head of the \(wasSent ? "response" : "request")"
      }
      guard kind == .cannotConnect else { return message }
      if message.contains("CONNECT"), message.contains("407") { return TransportMessage.proxyRefusal }
      // libcurl names the host of the URL, which it doesn't connect to. No call has failed if no descriptor was left.
      guard let path = unixSocketPath, systemError != 0 else { return message }
      return "the Unix domain socket \(path) can't be reached: \(ErrorName.ofSystemError(systemError))"
    }
  }
#endif
