import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on pages.
@Suite struct PagesTests {
  // sample: pageModel

  nonisolated struct CursorPage: Decodable, Sendable {
    var cities: [City]
    var next: String?
  }

  nonisolated struct LinkedPage: Decodable, Sendable {
    var cities: [City]
    var next: URL?
  }

  private let session = MockURLSession()

  private var service: JsonWebService {
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    return JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
  }

  @Test func linksAreFollowedToTheLastPage() async throws {
    let link: HTTPHeaders = ["Link": #"</cities?page=2>; rel="next""#]
    for _ in 0..<2 {
      session.script(.get, "/cities", .json(#"[{"name": "London"}]"#, headers: link))
      session.script(.get, "/cities", .json(#"[{"name": "Bath"}]"#))
    }
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    let service = service
    // sample: links
    // sample: collected
    #expect(shown == ["London", "Bath"])
    #expect(all.map(\.name) == shown)
    #expect(session.requests.map { $0.url?.query } == ["country=uk", "page=2", "country=uk", "page=2"])
  }

  @Test func elementsOfAllPagesAreOneSequence() async throws {
    let link: HTTPHeaders = ["Link": #"</cities?page=2>; rel="next""#]
    session.script(.get, "/cities", .json(#"[{"name": "London"}, {"name": "York"}]"#, headers: link))
    session.script(.get, "/cities", .json(#"[{"name": "Bath"}]"#))
    let pages = service.pages(of: Request("cities"), as: [City].self)
    var shown: [String] = []
    func show(_ text: String) { shown.append("\(session.requests.count): \(text)") }
    // sample: flattened
    #expect(shown == ["1: London", "1: York", "2: Bath"])
  }

  @Test func linksOfTheBodyAreFollowed() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}], "next": "/cities?page=2"}"#))
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "Bath"}]}"#))
    let service = service
    // sample: bodyLinks
    #expect(try await pages.collect().flatMap(\.cities).map(\.name) == ["London", "Bath"])
  }

  @Test func offsetsPageUpToTheTotal() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}, {"name": "Bath"}], "total": 3}"#))
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "York"}], "total": 3}"#))
    let service = service
    // sample: offsets
    #expect(try await pages.collect().flatMap(\.cities).map(\.name) == ["London", "Bath", "York"])
    #expect(session.requests.last?.url?.query == "limit=100&offset=2")
  }

  @Test func statusBehindTheLastPageEndsTheSequence() async throws {
    session.script(.get, "/cities", .json(#"[{"name": "London"}]"#))
    session.script(.get, "/cities", .status(404))
    let service = service
    // sample: lastStatus
    #expect(try await pages.collect().flatMap { $0 }.map(\.name) == ["London"])
    #expect(session.requests.last?.url?.query == "page=2")
  }

  @Test func cursorsAreFollowedToTheLastPage() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}], "next": "c2"}"#))
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "Bath"}]}"#))
    let service = service
    // sample: cursors
    #expect(try await pages.collect().flatMap(\.cities).map(\.name) == ["London", "Bath"])
    #expect(session.requests.last?.url?.query == "cursor=c2")
  }

  @Test func ownPagingEndsAtARepeatedPage() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}], "next": "same"}"#))
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: ownPaging
    let pages = service.pages(of: Request("cities"), as: CursorPage.self, by: paging)
    // sample: pagingError
    #expect(shown.count == 1)
    #expect(session.requests.map { $0.value(forHTTPHeaderField: "X-Cursor") } == [nil, "same"])
  }
}
