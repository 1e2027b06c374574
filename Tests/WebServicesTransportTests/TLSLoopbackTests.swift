#if os(macOS) || os(Linux)
  @testable import WebServicesTestSupport
  @testable import WebServicesDoubles

  // Serialized: each test starts two processes.
  @Suite(.serialized, .enabled(if: TLSLoopback.unavailability == nil, "python3 is missing"))
  struct TLSLoopbackTests {
    @Test func helperEndsWithItsParentProcess() throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let tls = try TLSLoopback(server)
      defer { tls.stop() }
      tls.helper.closeInput()
      // The output ends when the process ends.
      expectEqual(tls.helper.firstLine(timeout: 3600), nil)
    }
  }
#endif
