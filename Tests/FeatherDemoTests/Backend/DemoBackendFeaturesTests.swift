import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

/// The backend's routes that need no token.
@Suite struct DemoBackendFeaturesTests {
  private let backend: DemoBackend
  private let service: JsonWebService

  init() throws {
    backend = try DemoBackend()
    service = JsonWebService(configuration: WebServiceConfiguration(baseURL: backend.baseURL))
  }

  private struct Plain: WebServiceRequestData {
    var method = HTTPMethod.get
    var path: String
    var headers = HTTPHeaders()
  }

  private func response(
    _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders = [:]
  ) async throws -> WebServiceResponse {
    try await service.sendRequest(
      Plain(method: method, path: path, headers: headers),
      parser: .response.mapping(Set(100...999), with: .response))
  }

  @Test func fileHasTheSizeInItsNameAndSupportsRanges() async throws {
    let whole = try await response(.get, "files/40k")
    #expect(whole.statusCode == 200 && whole.body.count == 40_000)
    let part = try await response(.get, "files/40k", ["Range": "bytes=30000-30999"])
    #expect(part.statusCode == 206)
    #expect(part.headers["Content-Range"] == "bytes 30000-30999/40000")
    #expect(part.body == whole.body[30_000..<31_000])
    #expect(try await response(.get, "files/40k", ["Range": "bytes=40000-"]).statusCode == 416)
    #expect(try await response(.get, "files/many").statusCode == 404)
    let head = try await response(.head, "files/40k")
    #expect(head.statusCode == 200 && head.headers["Content-Length"] == "40000")
  }

  @Test func theLinksOfAPhotoLeadToFiles() async throws {
    let data = try await response(.get, "photos/7").body
    let photo = try Photo(with: JSONDecoder().decode(JSONValue.self, from: data))
    for (url, size) in [(photo.url, 600_000), (photo.thumbnailUrl, 15_000)] {
      let file = try await response(.get, url.absoluteString)
      #expect(file.statusCode == 200)
      #expect(file.body.count == size)
    }
  }

  @Test func itemsComeInPages() async throws {
    let pages = PageSequence<PageRange, ItemPage>.offsets(limit: 7, items: { $0.items }, total: { $0.total }) {
      [service] in
      try await service.sendRequest(RequestDataForItems(range: $0), parser: .json(ItemPage.self))
    }
    #expect(try await pages.collect().count == 7)
    #expect(try await pages.elements { $0.items }.collect() == ItemCollection.all)
    for query in ["offset=-1", "limit=0", "limit=101", "offset=x"] {
      #expect(try await response(.get, "items?\(query)").statusCode == 400)
    }
  }

  @Test func eventsResumeAfterTheLastReceivedID() async throws {
    var ids: [String] = []
    let policy = ReconnectionPolicy(delay: 0)
    for try await event in service.serverSentEvents(RequestDataForEvents(count: 6), reconnecting: policy) {
      ids.append(event.id)
    }
    #expect(ids == (1...6).map { "\($0)" })
    #expect(try await response(.get, "events?count=6", ["Last-Event-ID": "6"]).statusCode == 204)
    #expect(try await response(.get, "events?count=0").statusCode == 400)
  }

  @Test func eventNumbersStayWithinTheCount() {
    #expect(EventFeed.numbers(after: 0, count: 2) == 1...2)
    #expect(EventFeed.numbers(after: 4, count: 100) == 5...8)
    #expect(EventFeed.numbers(after: -9, count: 100) == 1...4)
    #expect(EventFeed.numbers(after: .max, count: 100) == nil)
  }

  @Test func flakyRouteFailsDuringAnOutage() async throws {
    #expect(try await response(.get, "flaky").statusCode == 200)
    #expect(try await response(.put, "outage?requests=2").statusCode == 200)
    for status in [503, 503, 200] { #expect(try await response(.get, "flaky").statusCode == status) }
    #expect(try await response(.put, "outage").statusCode == 200)
    for _ in 1...3 { #expect(try await response(.get, "flaky").statusCode == 503) }
    #expect(try await response(.delete, "outage").statusCode == 200)
    #expect(try await response(.get, "flaky").statusCode == 200)
    let outage = try JSONDecoder().decode(Outage.self, from: try await response(.get, "outage").body)
    #expect(outage == Outage(failuresLeft: 0, received: 8, failed: 5))
    for query in ["requests=x", "requests=-1", "requests="] {
      #expect(try await response(.put, "outage?\(query)").statusCode == 400)
    }
  }

  @Test func anUploadIsCounted() async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("a b?ü")
    try Data(count: 100_000).write(to: file)
    let received = try await service.sendRequest(
      RequestDataForUpload(file: file, to: nil) { _ in }, parser: .json(DemoBackend.Received.self))
    #expect(received == DemoBackend.Received(bytes: 100_000))
  }
}
