@testable import WebServicesTestSupport

/// A model that is parsed by hand.
private struct Photo: Equatable, Sendable {
  var id: Int16
  var title: String

  static func single(by id: Int16, with baseURL: URL) throws -> Endpoint<Photo> {
    guard let url = URL(string: "photos/\(id)", relativeTo: baseURL) else { throw PhotoError.url }
    return Endpoint(url: url, parse: { json in Result { try Photo(with: json) } })
  }

  init(with json: JSONValue) throws {
    guard let id = json["id"]?.integer.flatMap(Int16.init(exactly:)), let title = json["title"]?.string else {
      throw PhotoError.parse
    }
    self.init(id: id, title: title)
  }

  init(id: Int16, title: String) {
    self.id = id
    self.title = title
  }
}

private enum PhotoError: Error {
  case parse
  case url
}

@Suite struct NetworkerTests {
  private let session = MockURLSession()
  private let networker: Networker
  private let baseURL: URL

  init() throws {
    // A request to this machine passes the reachability check without a network.
    networker = Networker(session: session)
    baseURL = try #require(URL(string: "http://localhost/"))
  }

  @Test func endpointIsLoadedInEveryForm() async throws {
    session.script(.get, "/photos/5", .json(#"{"id": 5, "title": "A horse", "url": "https://h/5"}"#))
    let endpoint = try Photo.single(by: 5, with: baseURL)
    let horse = Photo(id: 5, title: "A horse")
    expectEqual(try await networker.load(endpoint), horse)
    let photos = Collector<Photo?>()
    networker.load(endpoint) { result in
      dispatchPrecondition(condition: .onQueue(.main))
      guard let photo = result.value else { return photos.append(nil) }
      photos.append(photo)
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
      let results = Collector<Result<Photo, WebServiceError>>()
      networker.load(try Photo.single(by: 5, with: baseURL), callbackQueue: .global()) { results.append($0) }
      expectEqual(await results.elements(1).map(\.error?.kind), [kind])
      expectEqual(results.elements.first?.error?.underlying(as: PhotoError.self), underlying)
    }
    let endpoint = Endpoint(url: try #require(URL(string: "photos/5")), parser: .data)
    let error = await thrown { try await networker.load(endpoint) }
    expectEqual(error?.kind, .badURL)
    expectEqual(session.requests.count, cases.count)
  }
}
