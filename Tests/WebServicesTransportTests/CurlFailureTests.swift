@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesHTTP
  @testable import WebServicesTransport

  struct CurlFailureTests {
    private func failure(
      _ code: Int, message: String = "", wasSent: Bool = true, hasHead: Bool = false, systemError: Int32 = 0
    ) -> CurlFailure {
      CurlFailure(code: code, message: message, systemError: systemError, wasSent: wasSent, hasHead: hasHead)
    }

    @Test func curlCodesMapToKinds() {
      expectEqual(failure(6).kind, .nameLookup)
      expectEqual(failure(7).kind, .cannotConnect)
      expectEqual(failure(7, systemError: 101).kind, .notConnected)
      expectEqual(failure(18).kind, .truncated)
      expectEqual(failure(28).kind, .timedOut(.connect))
      expectEqual(failure(60).kind, .tls)
      expectEqual(failure(52).kind, .connectionLost)
      expectEqual(failure(56).kind, .connectionLost)
      expectEqual(failure(56, hasHead: true).kind, .truncated)
      expectEqual(failure(56, message: "Illegal chunk").kind, .badFraming)
      expectEqual(failure(61).kind, .badEncoding)
      expectEqual(failure(1).kind, .notHTTPResponse)
      expectEqual(failure(1, wasSent: false).kind, .invalidRequest)
      expectEqual(failure(999).kind, .other)
      expectEqual(failure(27).kind, .tooLarge)
      expectEqual(failure(27, wasSent: false).kind, .invalidRequest)
      expectEqual(failure(27, hasHead: true).kind, .other)
      expectEqual(failure(43).kind, .badFraming)
      expectEqual(failure(43, wasSent: false).kind, .invalidRequest)
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
