#if os(Linux)
  import Testing
  @testable import WebServices

  struct CurlUploadBufferTests {
    private let kilobyte = 1024

    @Test("a body that is alone goes at once, up to a limit")
    func alone() {
      #expect(CurlUploadBuffer.size(forBodyOf: 40 * kilobyte, among: 1) == 40 * kilobyte)
      #expect(CurlUploadBuffer.size(forBodyOf: 1_000_000, among: 1) == 1_000_000)
      #expect(CurlUploadBuffer.size(forBodyOf: .max, among: 1) == CurlUploadBuffer.most)
    }

    @Test("many exchanges share the room, down to the usual size")
    func shared() {
      #expect(CurlUploadBuffer.size(forBodyOf: .max, among: 4) == CurlUploadBuffer.most)
      #expect(CurlUploadBuffer.size(forBodyOf: .max, among: 8) == 512 * kilobyte)
      #expect(CurlUploadBuffer.size(forBodyOf: 300 * kilobyte, among: 8) == 300 * kilobyte)
      #expect(CurlUploadBuffer.size(forBodyOf: .max, among: 10_000) == CurlUploadBuffer.usual)
      #expect(CurlUploadBuffer.size(forBodyOf: 40 * kilobyte, among: 10_000) == 40 * kilobyte)
    }
  }
#endif
