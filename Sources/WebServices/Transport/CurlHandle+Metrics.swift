#if os(Linux)
  internal import CurlShim
  import Foundation

  /// libcurl's figures of the transfer on the handle. They are lost when the handle begins another transfer.
  extension CurlHandle {
    /// Whether the host's name is being resolved.
    var isInLookup: Bool { hasBegunLookup && offset(curlInformationLookupTime) == 0 }

    var requestSize: Int { long(curlInformationRequestSize) }

    /// Whether libcurl opened no new connection for the transfer.
    var isReused: Bool { long(curlInformationConnects) == 0 }

    /// `errno` of the last failure to connect.
    var systemError: Int32 { Int32(truncatingIfNeeded: long(curlInformationOperatingSystemError)) }

    /// libcurl's words about the last failure. They may quote a proxy's address, whose user info is hidden.
    func message(code: Int32) -> String {
      // libcurl says no more than that it couldn't connect.
      if socketError != 0, code == 7 { return "no socket can be opened: \(ErrorName.ofSystemError(socketError))" }
      let detail = String(cString: errorBuffer)
      return TransportMessage.withoutUserInfo(
        detail.isEmpty ? String(cString: curlShimEasyMessage(code)) : detail,
        proxies: loop.proxy.addresses)
    }

    var metrics: WebServiceResponse.Metrics {
      let isReused = isReused
      let (local, remote) = loop.addresses(of: self)
      return WebServiceResponse.Metrics(
        nameLookup: isReused ? nil : seconds(curlInformationLookupTime),
        connect: isReused ? nil : seconds(curlInformationConnectTime),
        tls: isReused ? nil : seconds(curlInformationTLSTime),
        firstByte: seconds(curlInformationFirstByteTime),
        total: seconds(curlInformationTotalTime) ?? 0,
        localAddress: local, remoteAddress: remote,
        httpVersion: versionName, isReusedConnection: isReused,
        bytesSent: transfer?.contentSent(offset(curlInformationBytesSent)) ?? 0,
        bytesReceived: offset(curlInformationBytesReceived))
    }

    private var versionName: String? {
      // The numbers are those of `CURL_HTTP_VERSION_…`.
      switch long(curlInformationHTTPVersion) {
      case 1: "HTTP/1.0"
      case 2: "HTTP/1.1"
      case 3: "HTTP/2"
      default: nil
      }
    }

    /// One end of the connection.
    func address(_ address: Int, _ port: Int) -> String? {
      guard let text = curlShimEasyGetString(easy, Int32(address)), text.pointee != 0 else { return nil }
      let host = String(cString: text)
      return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(long(port))" : "\(host):\(long(port))"
    }

    private func seconds(_ information: Int) -> TimeInterval? {
      let microseconds = offset(information)
      return microseconds > 0 ? TimeInterval(microseconds) / 1_000_000 : nil
    }

    func long(_ information: Int) -> Int { curlShimEasyGetLong(easy, Int32(information)) }

    func offset(_ information: Int) -> Int64 { curlShimEasyGetOffset(easy, Int32(information)) }
  }
#endif
