@testable import WebServicesTestSupport

/// A model that is parsed by hand.
private struct Photo: Equatable, Sendable {
  var id: Int16
  var title: String

  static func single(by id: Int16, with baseURL: URL) throws -> Endpoint<Photo> {
    guard let url = URL(string: "photos/\(id)", relativeTo: baseURL) else { throw PhotoError.url }
    return Endpoint(
      url: url,
      parse: { json in
        do { return .success(try Photo(with: json)) } catch let error { return .failure(error) }
      })
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
    await photos.waitForElements(1)
    networker.load(endpoint, callbackQueue: .global()) { photos.append($0.value) }
    await photos.waitForElements(2)
    expectEqual(photos.elements, [horse, horse])
    #expect(session.requests.allSatisfy { $0.url?.absoluteString == "http://localhost/photos/5" })
  }

  @Test func parserAndStatusFailuresReachTheCompletion() async throws {
    session.script(.get, "/photos/5", .json(#"{"id": 70000}"#))
    session.script(.get, "/photos/5", .status(404))
    let endpoint = try Photo.single(by: 5, with: baseURL)
    let results = Collector<Result<Photo, WebServiceError>>()
    networker.load(endpoint, callbackQueue: .global()) { results.append($0) }
    await results.waitForElements(1)
    networker.load(endpoint, callbackQueue: .global()) { results.append($0) }
    await results.waitForElements(2)
    expectEqual(results.elements.map(\.value), [nil, nil])
    expectEqual(results.elements.map(\.error?.kind), [.undecodableBody, .statusCode(404)])
    expectEqual(results.elements.first?.error?.underlying(as: PhotoError.self), .parse)
  }

  @Test func bodyThatIsNotJSONFails() async throws {
    session.script(.get, "/photos/5", .data(Data("five".utf8)))
    let endpoint = try Photo.single(by: 5, with: baseURL)
    let error = await #expect(throws: WebServiceError.self) { try await networker.load(endpoint) }
    expectEqual(error?.kind, .undecodableBody)
    expectEqual(error?.underlying(as: PhotoError.self), nil)
    let count = Endpoint(
      url: try #require(URL(string: "photos/5", relativeTo: baseURL)), parser: ResponseParser { $0.body.count })
    expectEqual(try await networker.load(count), 4)
  }

  @Test func relativeURLWithoutBaseIsABadURL() async throws {
    let endpoint = Endpoint(url: try #require(URL(string: "photos/5")), parser: .data)
    let error = await #expect(throws: WebServiceError.self) { try await networker.load(endpoint) }
    expectEqual(error?.kind, .badURL)
    #expect(session.requests.isEmpty)
  }
}
