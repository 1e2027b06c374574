@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct RequestContentTests {
  private struct Filter: Encodable, Sendable {
    var tags = ["a b", "c"]
  }

  private static let plain = "https://core.example.com/cities?x=1"
  private static let json = #"{"tags":["a b","c"]}"#
  private let harness = VirtualHarness.scripted()

  @Test func valueGoesWhereMethodAndResourceSay() async throws {
    let query = "https://core.example.com/cities?x=1&tags=a%20b&tags=c"
    let form = "tags=a+b&tags=c"
    let bodiless: [HTTPMethod] = [.get, .head, .delete]
    let others: [HTTPMethod] = [.post, .put, .patch, .options, HTTPMethod(rawValue: "QUERY")]
    let cases: [(HTTPMethod, RequestContent<Filter>?, String, body: String?, type: String?)] =
      bodiless.map { ($0, nil, query, nil, nil) }
      + others.map { ($0, nil, Self.plain, Self.json, "application/json") }
      + [
        (.delete, .json, Self.plain, Self.json, "application/json"), (.post, .query, query, nil, nil),
        (.post, .form, Self.plain, form, "application/x-www-form-urlencoded"),
      ]
    for (method, content, url, body, type) in cases {
      var resource = BackendResource<Filter, Void, NoAuth>(path: .api(.core, "/cities?x=1"), method: method)
      if let content { resource.content = content }
      harness.session.script(method, "/cities", .status(204))
      try await ResourceAccessor(service: harness.service, environment: .production).access(resource, with: Filter())
      let request = try #require(harness.session.requests.last)
      expectEqual(request.url?.absoluteString, url)
      expectEqual(request.httpBody.map { String(decoding: $0, as: UTF8.self) }, body)
      expectEqual(request.value(forHTTPHeaderField: "Content-Type"), type)
    }
  }

  @Test func missingValueIsNoContent() async throws {
    harness.session.script(.post, "/cities", .status(204))
    let resource = BackendResource<Filter?, Void, NoAuth>(path: .api(.core, "/cities"), method: .post)
    try await ResourceAccessor(service: harness.service, environment: .production).access(resource, with: nil)
    expectEqual(harness.session.requests.last?.httpBody, nil)
  }

  @Test(arguments: [HTTPMethod.get, .post])
  func unencodableValueSendsNothing(method: HTTPMethod) async throws {
    let resource = BackendResource<[String: Double], Void, NoAuth>(path: .api(.core, "/cities"), method: method)
    let accessor = ResourceAccessor(service: harness.service, environment: .production)
    let error = await thrown { try await accessor.access(resource, with: ["x": .infinity]) }
    expectEqual(error?.kind, .invalidRequest)
    #expect(harness.session.requests.isEmpty)
  }
}
