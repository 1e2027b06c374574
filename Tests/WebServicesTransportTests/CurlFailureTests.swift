@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  struct CurlFailureTests {
    private func failure(
      _ code: Int, message: String = "", wasSent: Bool = true, hasHead: Bool = false, systemError: Int32 = 0
    ) -> CurlFailure {
      CurlFailure(code: code, message: message, systemError: systemError, wasSent: wasSent, hasHead: hasHead)
    }

    @Test func curlCodesMapToKinds() {
      let rows: [(CurlFailure, TransportError.Kind)] = [
        (failure(6), .nameLookup), (failure(7), .cannotConnect), (failure(7, systemError: 101), .notConnected),
        (failure(18), .connectionLost), (failure(18, hasHead: true), .truncated), (failure(28), .timedOut(.connect)),
        (failure(60), .tls), (failure(52), .connectionLost), (failure(56), .connectionLost),
        (failure(56, hasHead: true), .truncated), (failure(56, message: "Illegal chunk"), .badFraming),
        (failure(61), .badEncoding),
        (failure(1), .notHTTPResponse), (failure(1, wasSent: false), .invalidRequest), (failure(999), .other),
        (failure(27), .tooLarge), (failure(27, wasSent: false), .invalidRequest), (failure(27, hasHead: true), .other),
        (failure(100), .tooLarge), (failure(100, wasSent: false), .invalidRequest),
        (failure(43), .badFraming), (failure(43, wasSent: false), .invalidRequest),
      ]
      for (failure, kind) in rows { expectEqual(failure.kind, kind) }
    }

    /// A server may respond and end the stream or the connection before it has the whole request.
    @Test func wholeResponseSucceedsAlthoughTheUploadFails() throws {
      let rows: [(code: Int, length: String, kind: TransportError.Kind?)] = [
        (92, "2", nil), (55, "2", nil), (92, "3", .truncated), (55, "3", .connectionLost), (56, "2", .truncated),
      ]
      for (code, length, kind) in rows {
        let transfer = CurlTransfer(TransportRequest(url: cityURL), session: try .forTest()) { _ in }
        for line in ["HTTP/2 200\r\n", "Content-Length: \(length)\r\n", "\r\n"] {
          _ = Array(line.utf8).withUnsafeBytes { transfer.head.parse($0) }
        }
        transfer.codedCount = 2
        expectEqual(transfer.result(code: code).error?.kind, kind)
      }
    }

    /// No call of the system has failed if no descriptor was left for the connection.
    @Test func errorOfAUnixSocketIsNamedIfThereIsOne() {
      var failure = failure(7, message: "no", wasSent: false, systemError: ENOENT)
      failure.unixSocketPath = "/s"
      expectEqual(
        failure.error(response: nil).message, "the Unix domain socket /s can't be reached: No such file or directory")
      failure.systemError = 0
      expectEqual(failure.error(response: nil).message, "no")
    }

    /// In TLS 1.3 a server refuses the client's certificate after the client has sent its request.
    @Test func alertOfTheServerIsAFailureOfTLS() {
      for words in ["tlsv1 alert unknown ca", "tlsv13 alert certificate required", "sslv3 alert bad certificate"] {
        let message = "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000418:SSL routines::\(words), errno 0"
        for code in [16, 55, 56, 92] { expectEqual(failure(code, message: message).kind, .tls) }
        expectEqual(failure(56, message: message, hasHead: true).kind, .truncated)
      }
      expectEqual(failure(56, message: "GnuTLS recv error (-12): A TLS fatal alert has been received.").kind, .tls)
    }

    @Test(arguments: ["CONNECT tunnel failed, response 407", "Received HTTP code 407 from proxy after CONNECT"])
    func refusalOfAProxyIsNamed(message: String) {
      let error = failure(56, message: message, wasSent: false).error(response: nil)
      expectEqual(error.kind, .cannotConnect)
      #expect(error.message.hasPrefix("the proxy refused the name or the password (407)"))
      let other = message.replacingOccurrences(of: "407", with: "502")
      expectEqual(failure(56, message: other, wasSent: false).error(response: nil).message, other)
    }

    @Test(arguments: [3, 5, 6, 7, 8, 18, 28, 35, 43, 52, 55, 56, 61, 67])
    func writtenRequestMayHaveReachedTheServer(code: Int) {
      for wasSent in [false, true] {
        let error = failure(code, wasSent: wasSent).error(response: nil)
        expectEqual(error.mayHaveReachedServer, wasSent)
        #expect(!(wasSent && error.kind == .invalidRequest))
      }
    }
  }
#endif
