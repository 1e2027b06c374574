@testable import WebServicesTestSupport

/// A property of a request is sent as its type says, or doesn't compile.
@Suite("The properties of a request")
struct RequestPropertiesTests {
  private struct Filter: Codable, Equatable, Sendable {
    var tag: String
  }

  /// The request that the session receives.
  private func sent(_ data: some WebServiceRequestData) async throws -> URLRequest {
    let session = MockURLSession()
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    _ = try? await service.sendRequest(data, parser: .nothing)
    return try #require(session.requests.first)
  }

  private func bodyText(_ data: some WebServiceRequestData) async throws -> String? {
    try await sent(data).httpBody.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func dictionariesAreHeadersAndQueryInTheOrderOfTheirNames() async throws {
    struct Search: WebServiceRequestData {
      let path = "search"
      let headers = ["X-Edition": "morning", "Accept": "text/plain"]
      var queryItems: [String: String] { ["text": "A & B", "count": "3"] }
    }
    let request = try await sent(Search())
    expectEqual(request.url?.absoluteString, "https://api.example.com/search?count=3&text=A%20%26%20B")
    expectEqual(request.value(forHTTPHeaderField: "X-Edition"), "morning")
    expectEqual(request.value(forHTTPHeaderField: "Accept"), "text/plain")
    expectEqual(Request(Search()).headers.map(\.name), ["Accept", "X-Edition"])
  }

  private struct Create<Body: Encodable & Sendable>: WebServiceRequestData {
    let path = "items"
    let method = HTTPMethod.post
    var body: Body
  }

  @Test func encodableBodyIsSentAsJSON() async throws {
    struct Update: WebServiceRequestData {
      let path = "items"
      let method = HTTPMethod.put
      var body: (any Encodable & Sendable)?
    }
    expectEqual(try await bodyText(Create(body: Filter(tag: "sea"))), #"{"tag":"sea"}"#)
    expectEqual(try await bodyText(Create(body: ["a": 1])), #"{"a":1}"#)
    expectEqual(try await bodyText(Create(body: Filter?.none)), nil)
    expectEqual(try await bodyText(Create(body: Filter?.some(Filter(tag: "old")))), #"{"tag":"old"}"#)
    expectEqual(try await sent(Create(body: [1])).value(forHTTPHeaderField: "Content-Type"), "application/json")
    expectEqual(try await bodyText(Update(body: Filter(tag: "sea"))), #"{"tag":"sea"}"#)
    expectEqual(try await bodyText(Update()), nil)
  }

  @Test func bodyAndQueryMayBeOfAnyTypeAndNeedNoOptional() async throws {
    struct Post: WebServiceRequestData {
      let path = "items"
      let method = HTTPMethod.post
      var query: any Encodable & Sendable { ["a": 1] }
      // A default must not win over a property of a type that converts to the default's.
      var body: RequestBody { .text("Ha") }
    }
    struct Put: WebServiceRequestData {
      let path = "items"
      let method = HTTPMethod.put
      var body: any Encodable & Sendable { Filter(tag: "sea") }
    }
    struct List<Query: Encodable & Sendable>: WebServiceRequestData {
      let path = "items"
      var query: Query
    }
    expectEqual(try await bodyText(Post()), "Ha")
    expectEqual(try await bodyText(Put()), #"{"tag":"sea"}"#)
    expectEqual(try await sent(Post()).url?.query, "a=1")
    expectEqual(try await sent(List(query: Filter(tag: "sea"))).url?.query, "tag=sea")
    expectEqual(try await sent(List(query: Filter?.none)).url?.query, nil)
  }

  /// An extension of the app's own protocol may use other types than the defaults.
  @Test func extensionOfAnAppsOwnProtocolGivesProperties() async throws {
    expectEqual(try await sent(FamilyMember()).value(forHTTPHeaderField: "X-Family"), "yes")
    expectEqual(try await sent(FamilyMember()).httpMethod, "POST")
    let other = try await sent(OtherMember())
    expectEqual(other.value(forHTTPHeaderField: "X-Family"), nil)
    expectEqual(other.value(forHTTPHeaderField: "X-Own"), "1")
  }

  @Test func userAgentNamesTheLibraryUnlessItIsSet() async throws {
    expectEqual(
      try await sent(Request("a")).value(forHTTPHeaderField: "User-Agent"), "FeatherRESTClient/\(Version.current)")
    let own = try await sent(Request("a", headers: ["user-agent": "Atlas/1"]))
    expectEqual(own.value(forHTTPHeaderField: "User-Agent"), "Atlas/1")
  }

  @Test func requestHasThePropertiesOfAnother() {
    struct Full: WebServiceRequestData {
      let path = "items"
      let method = HTTPMethod.put
      let headers = ["A": "b"]
      let queryItems = ["c": "d"]
      let query = ["e": 1]
      let body = Filter(tag: "sea")
      let authorization = WebServiceAuthorizationType.bearer
      let options = RequestOptions { $0.timeout = 5 }
    }
    let existential: any WebServiceRequestData = Full()
    for copy in [Request(Full()), Request(existential)] {
      #expect(copy.path == "items" && copy.method == .put && copy.headers == ["A": "b"])
      #expect(copy.queryItems == [URLQueryItem(name: "c", value: "d")] && copy.query is [String: Int])
      expectEqual(copy.body?.contentType, "application/json")
      #expect(copy.authorization == .bearer && copy.options.timeout == 5)
    }
  }
}

extension RequestPropertiesTests {
  @Test func anyRequestIsChangedInACopy() {
    struct Ping: WebServiceRequestData {
      let path = "ping"
      let headers = ["X-A": "1", "X-B": "1"]
      // Names of the modifiers stay free for properties.
      let timeout = 3.0
      var options: RequestOptions { RequestOptions { $0.timeout = timeout } }
    }
    let request = Ping().header("x-a", "2").timeout(5).priority(.high).cachePolicy(.reload).onProgress { _ in }
    #expect(Ping().with { _ in }.options.timeout == 3 && request.options.timeout == 5)
    #expect(request.headers == ["X-A": "2", "X-B": "1"] && request.path == "ping")
    #expect(request.options.priority == .high && request.options.cachePolicy == .reload)
    #expect(request.options.onProgress != nil)
    let other = request.with { ($0.headers["X-B"], $0.options.deadline) = (nil, 7) }
    #expect(other.headers["X-B"] == nil && other.options.deadline == 7 && other.options.timeout == 5)
  }

  @Test func requestTakesValuesAndLiterals() async throws {
    struct Search: WebServiceRequestData {
      let path = "a"
      var query: [String: any Encodable & Sendable] { ["q": "x", "page": 2] }
    }
    let (text, filter) = ("b c", Filter(tag: "sea"))
    expectEqual(try await bodyText(Request("a", .put, body: filter)), #"{"tag":"sea"}"#)
    expectEqual(try await bodyText(Request("a", .post, body: ["z": 1, "a": text])), #"{"z":1,"a":"b c"}"#)
    expectEqual(try await bodyText(Request("a", .post, body: .json(["z": 1, "a": text]))), #"{"z":1,"a":"b c"}"#)
    let missing: Filter? = nil
    for request in [Request("a", .post, body: nil), Request("a", .post, body: missing)] {
      expectEqual(try await bodyText(request), nil)
    }
    expectEqual(try await sent(Request("a", query: filter)).url?.query, "tag=sea")
    expectEqual(try await sent(Search()).url?.query, "page=2&q=x")
    let full = Request(
      "a?l=m", .put, queryItems: [URLQueryItem(name: "n", value: "1")], query: ["q": text, "page": 2], body: .text("b"),
      headers: ["X-A": "1"], options: RequestOptions(timeout: 5))
    #expect(full.options.timeout == 5 && "\(full)" == "PUT a")
    let request = try await sent(full)
    #expect(request.httpMethod == "PUT" && request.value(forHTTPHeaderField: "X-A") == "1")
    expectEqual(request.url?.absoluteString, "https://api.example.com/a?l=m&n=1&page=2&q=b%20c")
    expectEqual(request.httpBody, Data("b".utf8))
    expectEqual(try await sent(Request("a")).httpMethod, "GET")
  }
}

/// A protocol of an app whose extension gives all its requests a method and a header field.
private protocol FamilyRequest: WebServiceRequestData {}

extension FamilyRequest {
  var method: HTTPMethod { .post }
  var headers: [String: String] { ["X-Family": "yes"] }
}

private struct FamilyMember: FamilyRequest {
  let path = "family"
}

/// Declares `headers` itself, so the family's field isn't sent.
private struct OtherMember: FamilyRequest {
  let path = "family"
  var headers: HTTPHeaders { ["X-Own": "1"] }
}
