@testable import WebServicesTestSupport
#if os(Linux)
  import Foundation
  import Testing
  import WebServices
  @testable import WebServicesHTTP
  @testable import WebServicesTransport
  import WebServicesTesting

  @Suite(.leavesNothing) struct CurlUploadBufferTests {
    private let kilobyte = 1024

    @Test func singleUploadGetsTheWholeBuffer() {
      #expect(CurlUploadBuffer.size(forBodyOf: 40 * kilobyte, among: 1) == 40 * kilobyte)
      #expect(CurlUploadBuffer.size(forBodyOf: 1_000_000, among: 1) == 1_000_000)
      #expect(CurlUploadBuffer.size(forBodyOf: .max, among: 1) == CurlUploadBuffer.most)
    }

    @Test func transfersShareTheBuffer() {
      #expect(CurlUploadBuffer.size(forBodyOf: .max, among: 4) == CurlUploadBuffer.most)
      #expect(CurlUploadBuffer.size(forBodyOf: .max, among: 8) == 512 * kilobyte)
      #expect(CurlUploadBuffer.size(forBodyOf: 300 * kilobyte, among: 8) == 300 * kilobyte)
      #expect(CurlUploadBuffer.size(forBodyOf: .max, among: 10_000) == CurlUploadBuffer.usual)
      #expect(CurlUploadBuffer.size(forBodyOf: 40 * kilobyte, among: 10_000) == 40 * kilobyte)
    }

    @Test func longBodyIsSentOnTheSessionsThread() async throws {
      let harness = try SocketHarness(.curl)
      harness.server.route(.post, "/", .text("ok"))
      for _ in 0..<3 {
        let threads = Locked<[pthread_t]>([])
        var request = TransportRequest(
          method: .post, url: harness.server.url("/"), body: .data(Data(count: 1_000_000)))
        request.onProgress = { _ in threads.withLock { $0.append(pthread_self()) } }
        let (result, caller) = await sendTellingThread(request, by: harness.session)
        #expect(result.text == "ok")
        let reporting = threads.withLock { $0 }
        #expect(!reporting.isEmpty)
        #expect(!reporting.contains(caller))
      }
    }

    private func sendTellingThread(
      _ request: TransportRequest, by session: any URLSessionProtocol
    ) async -> (Result<WebServiceResponse, TransportError>, pthread_t) {
      await withCheckedContinuation { continuation in
        let caller = pthread_self()
        session.transferTask(with: request) { continuation.resume(returning: ($0, caller)) }.resume()
      }
    }
  }
#endif
