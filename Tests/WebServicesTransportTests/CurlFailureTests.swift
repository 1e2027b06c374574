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
      #expect(failure(6).kind == .nameLookup)
      #expect(failure(7).kind == .cannotConnect)
      #expect(failure(7, systemError: 101).kind == .notConnected)
      #expect(failure(18).kind == .truncated)
      #expect(failure(28).kind == .timedOut(.connect))
      #expect(failure(60).kind == .tls)
      #expect(failure(52).kind == .connectionLost)
      #expect(failure(56).kind == .connectionLost)
      #expect(failure(56, hasHead: true).kind == .truncated)
      #expect(failure(56, message: "Illegal chunk").kind == .badFraming)
      #expect(failure(61).kind == .badEncoding)
      #expect(failure(1).kind == .notHTTPResponse)
      #expect(failure(1, wasSent: false).kind == .invalidRequest)
      #expect(failure(999).kind == .other)
      #expect(failure(27).kind == .tooLarge)
      #expect(failure(27, wasSent: false).kind == .invalidRequest)
      #expect(failure(27, hasHead: true).kind == .other)
      #expect(failure(43).kind == .badFraming)
      #expect(failure(43, wasSent: false).kind == .invalidRequest)
    }

    @Test(arguments: [3, 5, 6, 7, 8, 18, 28, 35, 43, 52, 55, 56, 61, 67])
    func writtenRequestMayHaveReachedTheServer(code: Int) {
      for wasSent in [false, true] {
        let error = failure(code, wasSent: wasSent).error(response: nil)
        #expect(error.mayHaveReachedServer == wasSent)
        #expect(!(wasSent && error.kind == .invalidRequest))
      }
    }
  }
#endif
