import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on pages.
@Suite struct PagesTests {
  // sample: pageModel
  nonisolated struct CityPage: Decodable, Sendable {
    var cities: [City]
    var total: Int
  }

  struct RequestDataForCityPage: WebServiceRequestData {
    var offset: Int
    var path: String { "cities" }
    var queryItems: [String: String] { ["offset": "\(offset)", "limit": "100"] }
  }
  // end of sample

  nonisolated struct CursorPage: Decodable, Sendable {
    var cities: [City]
    var next: String?
  }

  struct RequestDataForCityCursor: WebServiceRequestData {
    var cursor: String?
    var path: String { "cities" }
    var queryItems: [URLQueryItem] { cursor.map { [URLQueryItem(name: "cursor", value: $0)] } ?? [] }
  }

  private let session = MockURLSession()

  private var service: JsonWebService {
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    return JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
  }

  @Test func offsetsPageUpToTheTotal() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}, {"name": "Bath"}], "total": 3}"#))
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "York"}], "total": 3}"#))
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "Deal"}], "total": 1}"#))
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    let service = service
    // sample: offsets
    let pages = PageSequence.offsets(items: \CityPage.cities, total: { $0.total }) { offset in
      try await service.sendRequest(RequestDataForCityPage(offset: offset), parser: .json())
    }
    for try await page in pages {
      for city in page.cities { show(city.name) }
    }
    // end of sample
    // sample: collected
    let all = try await pages.collect().flatMap(\.cities)
    // end of sample
    #expect(shown == ["London", "Bath", "York"])
    #expect(all.map(\.name) == ["Deal"])
  }

  @Test func cursorsAreFollowedToTheLastPage() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}], "next": "c2"}"#))
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "Bath"}]}"#))
    let service = service
    // sample: cursors
    let pages = PageSequence.cursors(next: { (page: CursorPage) in page.next }) { cursor in
      try await service.sendRequest(RequestDataForCityCursor(cursor: cursor), parser: .json())
    }
    // end of sample
    #expect(try await pages.collect().flatMap(\.cities).map(\.name) == ["London", "Bath"])
    #expect(session.requests.last?.url?.query == "cursor=c2")
  }

  @Test func linksAreFollowedToTheLastPage() async throws {
    let link: HTTPHeaders = ["Link": #"</cities?page=2>; rel="next""#]
    session.script(.get, "/cities", .json(#"[{"name": "London"}]"#, headers: link))
    session.script(.get, "/cities", .json(#"[{"name": "Bath"}]"#))
    let service = service
    let url = try #require(URL(string: "https://api.example.com/cities"))
    // sample: links
    let parser = ResponseParser.json([City].self).withResponse
    let pages = PageSequence.links(
      from: url, next: { (page: (response: WebServiceResponse, value: [City])) in page.response.link(relation: "next") }
    ) { url in
      try await service.sendRequest(Request(url.absoluteString), parser: parser)
    }
    let cities = try await pages.collect().flatMap { page in page.value }
    // end of sample
    #expect(cities.map(\.name) == ["London", "Bath"])
  }

  @Test func statusBehindTheLastPageEndsTheSequence() async throws {
    session.script(.get, "/cities", .json(#"[{"name": "London"}]"#))
    session.script(.get, "/cities", .response(status: 404))
    let service = service
    // sample: lastStatus
    let parser = ResponseParser.json([City].self).mapping([404], to: [])
    let pages = PageSequence.numbers(items: { (page: [City]) in page }) { number in
      try await service.sendRequest(Request("cities", query: ["page": number]), parser: parser)
    }
    // end of sample
    #expect(try await pages.collect().flatMap { $0 }.map(\.name) == ["London"])
    #expect(session.requests.last?.url?.query == "page=2")
  }

  @Test func repeatedPageStopsTheSequence() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}], "next": "same"}"#))
    let service = service
    let pages = PageSequence.cursors(next: { (page: CursorPage) in page.next }) { cursor in
      try await service.sendRequest(RequestDataForCityCursor(cursor: cursor), parser: .json())
    }
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: pagingError
    do {
      _ = try await pages.collect()
    } catch {
      if let error = error.underlying(as: PagingError.self) { show("\(error)") }
    }
    // end of sample
    #expect(shown.count == 1)
  }
}
