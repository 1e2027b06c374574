#if os(Linux)
  internal import CurlShim
  import Foundation

  extension CurlHandle {
    var usesHTTP2: Bool { long(curlInformationHTTPVersion) == 3 }

    /// Whether the host's name is still being resolved, or nothing has begun yet.
    var isInLookup: Bool { offset(curlInformationLookupTime) == 0 }

    var requestSize: Int { long(curlInformationRequestSize) }

    func metrics(isReused: Bool) -> TransportMetrics {
      TransportMetrics(
        nameLookup: isReused ? nil : seconds(curlInformationLookupTime),
        connect: isReused ? nil : seconds(curlInformationConnectTime),
        tls: isReused ? nil : seconds(curlInformationTLSTime),
        firstByte: seconds(curlInformationFirstByteTime),
        total: seconds(curlInformationTotalTime) ?? 0,
        localAddress: address(curlInformationLocalAddress, curlInformationLocalPort),
        remoteAddress: address(curlInformationRemoteAddress, curlInformationRemotePort),
        httpVersion: versionName, isReusedConnection: isReused,
        bytesSent: offset(curlInformationBytesSent), bytesReceived: offset(curlInformationBytesReceived))
    }

    var isReused: Bool { long(curlInformationConnects) == 0 }

    var systemError: Int32 { Int32(truncatingIfNeeded: long(curlInformationOperatingSystemError)) }

    private var versionName: String? {
      switch long(curlInformationHTTPVersion) {
      case 1: "HTTP/1.0"
      case 2: "HTTP/1.1"
      case 3: "HTTP/2"
      case 30: "HTTP/3"
      default: nil
      }
    }

    private func address(_ address: Int, _ port: Int) -> String? {
      guard let text = curlShimEasyGetString(easy, Int32(address)), text.pointee != 0 else { return nil }
      let host = String(cString: text)
      return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(long(port))" : "\(host):\(long(port))"
    }

    private func seconds(_ information: Int) -> TimeInterval? {
      let microseconds = offset(information)
      return microseconds > 0 ? TimeInterval(microseconds) / 1_000_000 : nil
    }

    private func long(_ information: Int) -> Int {
      curlShimEasyGetLong(easy, Int32(information))
    }

    private func offset(_ information: Int) -> Int64 {
      curlShimEasyGetOffset(easy, Int32(information))
    }
  }

  extension CurlTransfer {
    /// How the transfer went; while its handle is still there.
    func result(code: Int) -> Result<WebServiceResponse, TransportError> {
      let metrics = handle.map { $0.metrics(isReused: $0.isReused) }
      let response = response(metrics: metrics)
      if let failure {
        var error = TransportError(
          failure, message: failureMessage, mayHaveReachedServer: wasSent, response: response,
          underlying: failureCause)
        error.isStaleConnection = wantedNewConnection
        error.wait = failureWait
        return .failure(error)
      }
      if code == 0 || isAnswered, let response {
        tellEnd(metrics)
        return .success(response)
      }
      guard code != 0 else {
        // libcurl takes a head that breaks off for a response without content.
        return .failure(
          TransportError(
            .connectionLost, message: "the connection was closed within the head",
            mayHaveReachedServer: wasSent))
      }
      var error = failure(code: code).error(response: response)
      error.isStaleConnection = error.kind == .connectionLost && handle?.isReused == true && !head.hasBegun
      return .failure(error)
    }

    /// Whether a byte of the request was written to a connection to the server.
    private var wasSent: Bool {
      guard let handle else { return false }
      return handle.requestSize > 0 && (requestCount > 0 || !handle.loop.features.hasPrerequest)
    }

    private func failure(code: Int) -> CurlFailure {
      CurlFailure(
        code: code, message: words(for: code), systemError: handle?.systemError ?? 0,
        wasSent: wasSent, hasHead: head.isComplete)
    }

    /// libcurl's words, which may quote the proxy's address.
    private func words(for code: Int) -> String {
      guard let handle else { return "" }
      let proxy = handle.loop.proxy
      return TransportMessage.withoutUserInfo(
        handle.message(code: Int32(code)), proxies: [proxy.plain, proxy.secure])
    }

    /// The last report says where the transfer ended.
    private func tellEnd(_ metrics: TransportMetrics?) {
      guard let report = task.request.onProgress, let metrics else { return }
      let value = progressValue(received: metrics.bytesReceived, sent: metrics.bytesSent)
      if value != progress.told { report(value) }
    }
  }
#endif
