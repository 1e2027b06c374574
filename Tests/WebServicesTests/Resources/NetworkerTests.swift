@testable import WebServicesTestSupport

private enum PhotoError: Error { case parse }

@Suite struct NetworkerTests {
  private let session = MockURLSession()
  private let networker: Networker
  private let baseURL: URL

  init() throws {
    // A request to this machine passes the reachability check without a network.
    networker = Networker(session: session)
    baseURL = try #require(URL(string: "http://localhost/"))
  }

  /// A photo's title, which is parsed by hand.
  private func photo(_ id: Int) throws -> Endpoint<String> {
    let url = try #require(URL(string: "photos/\(id)", relativeTo: baseURL))
    return Endpoint(url: url) { json in
      Result { if let title = json["title"]?.string { title } else { throw PhotoError.parse } }
    }
  }

  @Test func endpointIsLoadedInEveryForm() async throws {
    session.script(.get, "/photos/5", .json(#"{"id": 5, "title": "A horse", "url": "https://h/5"}"#))
    let (endpoint, horse) = (try photo(5), "A horse")
    expectEqual(try await networker.load(endpoint), horse)
    let photos = Collector<String?>()
    networker.load(endpoint) { result in
      dispatchPrecondition(condition: .onQueue(.main))
      photos.append(result.value)
    }
    networker.load(endpoint, callbackQueue: .global()) { photos.append($0.value) }
    expectEqual(await photos.elements(2), [horse, horse])
    #expect(session.requests.allSatisfy { $0.url?.absoluteString == "http://localhost/photos/5" })
    let count = Endpoint(
      url: try #require(URL(string: "photos/5", relativeTo: baseURL)), parser: ResponseParser { $0.body.count })
    expectEqual(try await networker.load(count), 51)
  }

  @Test func failuresReachTheCaller() async throws {
    let cases: [(MockResponse, WebServiceError.Kind, PhotoError?)] = [
      (.json(#"{"id": 70000}"#), .undecodableBody, .parse), (.status(404), .statusCode(404), nil),
      (.text("five"), .undecodableBody, nil),
    ]
    session.script(.get, "/photos/5", cases.map(\.0))
    for (_, kind, underlying) in cases {
      let results = Collector<Result<String, WebServiceError>>()
      networker.load(try photo(5), callbackQueue: .global()) { results.append($0) }
      expectEqual(await results.elements(1).map(\.error?.kind), [kind])
      expectEqual(results.elements.first?.error?.underlying(as: PhotoError.self), underlying)
    }
    let endpoint = Endpoint(url: try #require(URL(string: "photos/5")), parser: .data)
    let error = await thrown { try await networker.load(endpoint) }
    expectEqual(error?.kind, .badURL)
    expectEqual(session.requests.count, cases.count)
  }
}
