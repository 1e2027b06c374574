@testable import WebServicesTestSupport

// sample: ownOption

/// The samples of the article on describing requests.
@Suite struct DescribingRequestsTests {
  // sample: pathParameter

  // sample: pathParameters

  // sample: queryItems

  // sample: queryValue

  // sample: jsonBody

  // sample: modelBody

  // sample: multipart

  // sample: headers

  // sample: options

  private func bodies(city: City, name: String, video: URL, png: Data) -> [RequestBody] {
    // sample: bodies
    return [json, form, text, bytes, file, smaller]
  }

  private func nestedBody(name: String) -> RequestBody {
    // sample: nestedBody
    return body
  }

  private func sequenceBodies(rows: AsyncStream<String>, pieces: AsyncStream<Data>) -> [RequestBody] {
    // sample: sequenceBody
    return [report, copy]
  }

  private actor Table {
    private var rows = 0
    func nextRow() throws -> Int? {
      rows += 1
      return rows > 3 ? nil : rows
    }
  }

  @Test func bodyOfAClosureIsSent() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.route(.post, "/rows", .status(204))
    let service = JsonWebService(configuration: WebServiceConfiguration(baseURL: server.baseURL))
    let table = Table()
    // sample: closureBody
    try await service.sendRequest(Request("rows", .post, body: export), parser: .nothing)
    expectEqual(server.requests.first?.body, Data("1\n2\n3\n".utf8))
    service.invalidateAndCancel()
  }

  private func makeConfiguration() -> WebServiceConfiguration {
    // sample: commonConfiguration
    return configuration
  }

  @Test func requestNeedsNoTypeOfItsOwn() async throws {
    let session = MockURLSession(["GET /v1/cities/7": .json(#"{"name": "Bath"}"#), "POST /v1/cities": .status(201)])
    let service = JsonWebService(over: session, makeConfiguration())
    // sample: untyped
    #expect(urgent.options.deadline == 3 && urgent.path == "news")
    expectEqual(session.requests.last?.httpBody, Data(#"{"name":"Bath"}"#.utf8))
  }

  @Test func ownOptionReachesWrappingSession() async throws {
    struct RequestDataForInvoices: WebServiceRequestData {
      var path: String { "invoices" }
      var options: RequestOptions { RequestOptions { $0.tenant = "north" } }
    }
    let session = MockURLSession()
    let service = JsonWebService(over: TenantSession(next: session), makeConfiguration())
    _ = try? await service.sendRequest(RequestDataForInvoices(), parser: .nothing)
    _ = try? await service.sendRequest(RequestDataForNews(), parser: .nothing)
    expectEqual(session.fields("X-Tenant"), ["north", nil])
  }
}
