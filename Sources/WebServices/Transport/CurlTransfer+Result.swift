#if os(Linux)
  import Foundation

  /// The result of a transfer. Only the thread that drives libcurl calls these functions.
  extension CurlTransfer {
    /// The part of the response that has arrived; `nil` before the end of its head.
    func response(metrics: WebServiceResponse.Metrics?) -> WebServiceResponse? {
      guard head.isComplete else { return nil }
      var headers = head.headers
      if isDecoding { headers.removeDecoded() }
      var response = WebServiceResponse(
        statusCode: head.statusCode, headers: headers, url: request.urlForm, body: body, metrics: metrics)
      // Each change of a response makes a new object, so the usual value isn't set.
      if isDecoding { response.isDecoded = true }
      return response
    }

    /// The result of the transfer. Call this before the handle is released, because the handle has libcurl's figures.
    func result(code: Int) -> Result<WebServiceResponse, TransportError> {
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
        return .failure(
          TransportError(
            .connectionLost, message: "the connection was closed within the head", mayHaveReachedServer: wasSent))
      }
      let failure = CurlFailure(
        code: code, message: handle?.message(code: Int32(code)) ?? "", systemError: handle?.systemError ?? 0,
        unixSocketPath: handle?.loop.configuration.unixSocketPath, wasSent: wasSent, hasHead: head.isComplete)
      var error = failure.error(response: response)
      error.isStaleConnection = error.kind == .connectionLost && handle?.isReused == true && !head.hasBegun
      return .failure(error)
    }

    /// Whether all of the content has come.
    private var isWhole: Bool {
      head.contentLength.map { $0 == codedCount } ?? (codedCount > 0 && decoder?.isAtEnd == true)
    }

    /// Whether a byte of the request was written to a connection to the server.
    private var wasSent: Bool {
      guard let handle else { return false }
      // libcurl's size includes a CONNECT to a proxy. The server has nothing before `hasOpened` is set.
      return handle.requestSize > 0 && (hasOpened || !handle.loop.hasPrerequest)
    }
  }
#endif
