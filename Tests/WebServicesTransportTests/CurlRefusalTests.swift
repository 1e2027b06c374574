#if os(Linux)
  import Testing
  @testable import WebServicesTransport

  struct CurlRefusalTests {
    private let notBuiltIn = 4
    private let badArgument = 43
    private let unknown = 48
    private let pinnedKeys = 10230
    private let netrc = 51
    private let keepAlive = 213

    @Test func refusedSecurityOptionFailsTheRequest() {
      for code in [notBuiltIn, badArgument, unknown] {
        #expect(CurlRefusal(option: pinnedKeys, code: code, isOff: false)?.code == code)
        #expect(CurlRefusal(option: keepAlive, code: code, isOff: false) == nil)
      }
      #expect(CurlRefusal(option: pinnedKeys, code: 0, isOff: false) == nil)
    }

    @Test func switchingOffAMissingOptionIsNoFailure() {
      #expect(CurlRefusal(option: netrc, code: notBuiltIn, isOff: true) == nil)
      #expect(CurlRefusal(option: netrc, code: unknown, isOff: true) == nil)
      #expect(CurlRefusal(option: netrc, code: badArgument, isOff: true) != nil)
      #expect(CurlRefusal(option: netrc, code: unknown, isOff: false) != nil)
    }
  }
#endif
