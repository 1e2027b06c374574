@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct RequestContentTests {
  private struct Filter: Encodable, Sendable {
    var tags = ["a b", "c"]
    var limit = 2
  }

  private let harness = VirtualHarness.scripted()

  /// The request that is sent for the value.
  private func request(
    _ method: HTTPMethod, _ path: String = "/cities", content: RequestContent<Filter>? = nil
  ) async throws -> URLRequest {
    var resource = BackendResource<Filter, Void, NoAuth>(path: .api(.core, path), method: method)
    if let content { resource.content = content }
    harness.session.script(method, "/cities", .status(204))
    let accessor = ResourceAccessor(service: harness.service, environment: .production)
    try await accessor.access(resource, with: Filter())
    return try #require(harness.session.requests.last)
  }

  @Test(arguments: [HTTPMethod.get, .head, .delete])
  func valueBecomesQueryItems(method: HTTPMethod) async throws {
    let request = try await request(method, "/cities?x=1")
    expectEqual(request.url?.absoluteString, "https://core.example.com/cities?x=1&limit=2&tags=a%20b&tags=c")
    expectEqual(request.httpBody, nil)
    expectEqual(request.value(forHTTPHeaderField: "Content-Type"), nil)
  }

  @Test(
    arguments: [HTTPMethod.post, .put, .patch, .options, HTTPMethod(rawValue: "QUERY")])
  func valueBecomesAJSONBody(method: HTTPMethod) async throws {
    let request = try await request(method)
    expectEqual(request.url?.query, nil)
    expectEqual(request.value(forHTTPHeaderField: "Content-Type"), "application/json")
    let value = try JSONDecoder().decode(JSONValue.self, from: request.httpBody ?? Data())
    expectEqual(value, ["tags": ["a b", "c"], "limit": 2])
  }

  @Test func resourceOverridesTheContent() async throws {
    #expect(try await request(.delete, content: .json).httpBody != nil)
    let query = try await request(.post, content: .query)
    expectEqual(query.url?.query, "limit=2&tags=a%20b&tags=c")
    expectEqual(query.httpBody, nil)
    let form = try await request(.post, content: .form)
    expectEqual(form.httpBody, Data("limit=2&tags=a+b&tags=c".utf8))
    expectEqual(form.value(forHTTPHeaderField: "Content-Type"), "application/x-www-form-urlencoded")
  }

  @Test(arguments: [HTTPMethod.get, .post])
  func unencodableValueSendsNothing(method: HTTPMethod) async throws {
    let resource = BackendResource<[String: Double], Void, NoAuth>(path: .api(.core, "/cities"), method: method)
    let accessor = ResourceAccessor(service: harness.service, environment: .production)
    let error = await #expect(throws: WebServiceError.self) {
      try await accessor.access(resource, with: ["x": .infinity])
    }
    expectEqual(error?.kind, .invalidRequest)
    #expect(harness.session.requests.isEmpty)
  }
}
