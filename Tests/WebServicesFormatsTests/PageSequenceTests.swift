@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct PageSequenceTests {
  struct Page: Codable, Sendable, Equatable {
    var items: [Int] = []
    var next: String?
  }

  private let harness = VirtualHarness.scripted {
    $0.baseURL = URL(string: "https://api.example.com/v1?tenant=7")
    $0.headers = ["api-token": "secret"]
    $0.redaction = Redaction(fieldNames: ["tenant"])
    $0.queryEncoder = QueryEncoder(arrays: .brackets)
  }

  /// The query of each request.
  private var asked: [String?] { harness.session.requests.map { $0.url?.query } }

  private func script(_ pages: [Int]..., next: String? = nil, link: String? = nil) throws {
    for items in pages {
      harness.session.script(
        .get, "/v1/items",
        .json(
          String(decoding: try JSONEncoder().encode(Page(items: items, next: next)), as: UTF8.self),
          headers: link.map { ["Link": #"<\#($0)>; rel="next""#] } ?? [:]))
    }
  }

  private func pages(
    of request: Request = Request("items"), by paging: Paging<Page>, pageLimit: Int = 1000
  ) -> PageSequence<Page> {
    harness.service.pages(of: request, as: Page.self, by: paging, pageLimit: pageLimit)
  }

  @discardableResult private func expectPagingError(
    _ error: PagingError, sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Void
  ) async -> WebServiceError? {
    let thrown = await #expect(throws: WebServiceError.self, sourceLocation: sourceLocation) { try await work() }
    #expect(thrown?.kind == .invalidResponse, sourceLocation: sourceLocation)
    #expect(thrown?.underlying(as: PagingError.self) == error, sourceLocation: sourceLocation)
    return thrown
  }

  @Test func everyPageIsRequestedAsTheFirst() async throws {
    try script([1], link: "?tenant=7&page=2")
    try script([2], link: "/v1/items?tenant=7&page=3")
    try script([3])
    let request = Request(
      "items", query: ["tag": ["a", "b"]], headers: ["X-View": "short"], options: RequestOptions { $0.deadline = 9 })
    let found = try await pages(of: request, by: .links).collect().flatMap(\.items)
    expectEqual(found, [1, 2, 3])
    expectEqual(asked, ["tenant=7&tag%5B%5D=a&tag%5B%5D=b", "tenant=7&page=2", "tenant=7&page=3"])
    for request in harness.session.requests {
      expectEqual(request.url?.path, "/v1/items")
      expectEqual(request.value(forHTTPHeaderField: "X-View"), "short")
      expectEqual(request.value(forHTTPHeaderField: "api-token"), "secret")
    }
  }

  @Test func itemOfTheQueryIsReplaced() async throws {
    let paging = Paging<Page>.query("offset", from: 9) { page, offset in
      page.items.isEmpty ? nil : offset + page.items.count
    }
    // The other items are written as the service does, also those of lists.
    try script([0, 1], [])
    let tagged = Request("items", query: ["tag": ["a", "b"]])
    expectEqual(try await pages(of: tagged, by: paging).collect().flatMap(\.items), [0, 1])
    expectEqual(asked.last, "tenant=7&tag%5B%5D=a&tag%5B%5D=b&offset=11")
    // The item may be in the value of the query or in the path. Its position then counts.
    for request in [Request("items", query: ["limit": 2, "offset": 0]), Request("items?limit=2&offset=0")] {
      try script([0, 1], [2, 3], [])
      expectEqual(try await pages(of: request, by: paging).collect().flatMap(\.items), [0, 1, 2, 3])
      expectEqual(asked.suffix(3), [0, 2, 4].map { "tenant=7&limit=2&offset=\($0)" })
    }
    for (path, tenant) in [
      ("items?offset=0", "tenant=7&"), ("https://api.example.com/v1/items?tenant=7&offset=0", "tenant=7&"),
      ("https://api.example.com/v1/items?offset=0", ""),
    ] {
      try script([0, 1], [])
      let request = Request(path, queryItems: [URLQueryItem(name: "sort", value: "id")], query: ["limit": 2])
      expectEqual(try await pages(of: request, by: paging).collect().flatMap(\.items), [0, 1])
      expectEqual(asked.last, "\(tenant)sort=id&limit=2&offset=2")
    }
  }

  @Test(arguments: [nil, ""] as [String?])
  func cursorsEndWithoutOrWithAnEmptyCursor(end: String?) async throws {
    // Each iteration starts anew.
    let pages = pages(by: .query("cursor", next: \.next))
    for _ in 0..<2 {
      try script([0], next: "a&b")
      try script([1], next: end)
    }
    for _ in 0..<2 { expectEqual(try await pages.collect().flatMap(\.items), [0, 1]) }
    expectEqual(asked, ["tenant=7", "tenant=7&cursor=a%26b", "tenant=7", "tenant=7&cursor=a%26b"])
  }

  @Test(arguments: [
    "https://evil.example/2", "http://api.example.com/2", "https://api.example.com:8443/2", "ftp://a/2",
  ])
  func linksStayAtTheOrigin(other: String) async throws {
    try script([1], next: other, link: other)
    let byLink = pages(by: .links)
    let byBody = pages(by: .links { $0.next.flatMap { URL(string: $0) } })
    for pages in other.hasPrefix("ftp") ? [byBody] : [byLink, byBody] {
      var iterator = pages.makeAsyncIterator()
      // The page that has the link is at the first origin.
      expectEqual(try await iterator.next()?.items, [1])
      let error = await expectPagingError(.otherOrigin) { _ = try await iterator.next() }
      expectEqual(error?.url, "https://api.example.com/v1/items?tenant=7")
      expectEqual(error?.description.contains("GET https://api.example.com/v1/items?tenant=<redacted>, "), true)
      expectEqual(try await iterator.next(), nil)
    }
  }

  @Test func ownClosureMayLeadToAnotherOrigin() async throws {
    try script([1], next: "https://other.example/v1/items")
    try script([2])
    let own = pages(by: Paging { page, _ in page.next.map { Request($0) } })
    expectEqual(try await own.collect().flatMap(\.items), [1, 2])
    expectEqual(harness.session.requests.last?.value(forHTTPHeaderField: "api-token"), nil)
  }

  @Test func endlessPagesStopAtTheBound() async throws {
    try script([1], [2], [3])
    let endless = Paging<Page>.query("page", from: 1) { $1 + 1 }
    var iterator = pages(by: endless, pageLimit: 2).makeAsyncIterator()
    for number in 1...2 { expectEqual(try await iterator.next()?.items, [number]) }
    await expectPagingError(.tooManyPages) { _ = try await iterator.next() }
    expectEqual(try await iterator.next(), nil)
    await expectPagingError(.tooManyPages) { _ = try await pages(by: endless).collect() }
    expectEqual(harness.session.requests.count, 1002)
  }

  @Test func circularPagesAreStopped() async throws {
    try script([], next: "a")
    try script([], next: "b")
    try script([], next: "a")
    await expectPagingError(.repeatedPosition) { _ = try await pages(by: .query("cursor", next: \.next)).collect() }
    expectEqual(harness.session.requests.count, 3)
    try script([1], link: "/v1/items?tenant=7")
    await expectPagingError(.repeatedPosition) { _ = try await pages(by: .links).collect() }
    expectEqual(harness.session.requests.count, 4)
    // The query of a request of your own is a part of its position.
    try script([1], [2])
    let own = Paging<Page> { _, _ in Request("items", query: ["page": 2]) }
    await expectPagingError(.repeatedPosition) { _ = try await pages(by: own).collect() }
    expectEqual(harness.session.requests.count, 6)
    #expect(PagingError.repeatedPosition.localizedDescription.hasPrefix("the server names a page"))
  }

  @Test func pagesOfBodiesAreNotTakenForOneAnother() async throws {
    for number in 0..<3 { harness.session.script(.post, "/v1/items", .json("\(number)")) }
    let paging = Paging<Int> { page, request in page < 2 ? request.with { $0.body = .json(page + 1) } : nil }
    let pages = harness.service.pages(of: Request("items", .post, body: 0), as: Int.self, by: paging)
    expectEqual(try await pages.collect(), [0, 1, 2])
  }

  @Test func failureEndsTheSequence() async throws {
    try script([1], link: "?page=2")
    harness.session.script(.get, "/v1/items", .status(500))
    var iterator = pages(by: .links).makeAsyncIterator()
    _ = try await iterator.next()
    // The loop needs no cast for its errors.
    do throws(WebServiceError) {
      for try await _ in pages(of: Request("items", query: ["page": 2]), by: .links) {}
      Issue.record("the loop has ended without an error")
    } catch {
      expectEqual(error.statusCode, 500)
    }
    await thrown { try await iterator.next() }
    expectEqual(try await iterator.next(), nil)
  }

  @Test func cancelledTaskRequestsNoPage() async throws {
    try script([1])
    let pages = pages(
      of: Request("items?tenant=7"),
      by: .query("page", from: 1) { _, number in
        if number == 2 { withUnsafeCurrentTask { $0?.cancel() } }
        return number + 1
      })
    let result = await Task { try await pages.collect() }.result
    let error = #expect(throws: WebServiceError.self) { try result.get() }
    expectEqual(error?.kind, .cancelled)
    expectEqual(error?.description.contains("GET items?tenant=<redacted>"), true)
    expectEqual(harness.session.requests.count, 2)
  }

  @Test func fakeOfTheServiceHasPagesToo() async throws {
    let fake = HeldService()
    let paging = Paging<Int>.query("page", from: 1) { $1 < 2 ? $1 + 1 : nil }
    let found = Task { try await fake.pages(of: Request("items"), as: Int.self, by: paging).collect() }
    for number in 1...2 {
      await fake.waitForRequests(number)
      fake.respondToAll("\(number)")
    }
    expectEqual(try await found.value, [1, 2])
    // Nobody knows the base URL of a fake, so its links stay at the origin of its responses.
    expectEqual(try await LinkedPages().pages(of: Request("items"), as: Int.self).collect(), [1, 2])
  }
}

/// A fake of the service with two pages, of which the first links to the second.
private final class LinkedPages: JsonWebServiceable {
  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    let isFirst = requestData.path == "items"
    let response = WebServiceResponse(
      statusCode: 200, headers: isFirst ? ["Link": "</v1/items?page=2>; rel=next"] : [:],
      url: testURL("https://api.example.com/v1/items"), body: Data((isFirst ? "1" : "2").utf8))
    completion(Result { try parser.parse(response) }.mapError { WebServiceError(.undecodableBody, underlying: $0) })
    return WebServiceTask {}
  }
}
