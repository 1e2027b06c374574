@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct ServerRawRequestTests {
  @Test func rawRequestAndResponseStayUnchanged() async throws {
    let backend = MockBackend { $0.script(.put, "/raw", .data(Data("abc".utf8), status: 500)) }
    let server = Server(
      with: backend.config {
        $0.headers = ["Authorization": "s3cr3t"]
        $0.query = ["lang": "en"]
      })
    var request = URLRequest(url: try #require(URL(string: "https://other.example.com/raw?q=1")))
    request.httpMethod = "PUT"
    request.httpBody = Data("body".utf8)
    request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    let (data, response) = try await server.raw(with: request)
    expectEqual(data, Data("abc".utf8))
    expectEqual((response as? HTTPURLResponse)?.statusCode, 500)
    let sent = try #require(backend.session?.requests.first)
    expectEqual(sent.url?.absoluteString, "https://other.example.com/raw?q=1")
    expectEqual(sent.value(forHTTPHeaderField: "Authorization"), nil)
    expectEqual(sent.value(forHTTPHeaderField: "Content-Type"), "text/plain")
    expectEqual(sent.httpBody, Data("body".utf8))
  }

  @Test func rawRequestMayStreamAndNeedsAURL() async throws {
    let loopback = try LoopbackServer.forTest()
    loopback.route(.put, "/raw") { .text($0.text) }
    let server = Server(with: .init(base: nil))
    var request = URLRequest(url: loopback.url("/raw"))
    request.httpMethod = "PUT"
    request.httpBodyStream = InputStream(data: Data("stream".utf8))
    expectEqual(try await server.raw(with: request).0, Data("stream".utf8))
    request.url = nil
    let error = await #expect(throws: WebServiceError.self) { try await server.raw(with: request) }
    expectEqual(error?.kind, .badURL)
  }
}
