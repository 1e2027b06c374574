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
