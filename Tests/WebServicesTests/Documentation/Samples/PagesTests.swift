@testable import WebServicesTestSupport

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

  private static let link: HTTPHeaders = ["Link": #"</cities?page=2>; rel="next""#]

  private let session = MockURLSession()

  private var service: JsonWebService { JsonWebService(over: session) }

  @Test func linksAreFollowedToTheLastPage() async throws {
    for _ in 0..<2 {
      session.script([
        "GET /cities": .json(#"[{"name": "London"}, {"name": "York"}]"#, headers: Self.link),
        "GET /cities": .json(#"[{"name": "Bath"}]"#),
      ])
    }
    var shown: [String] = []
    func show(_ text: String) { shown.append("\(session.requests.count): \(text)") }
    let service = service
    // sample: links
    // sample: collected
    expectEqual(shown, ["1: London", "1: York", "2: Bath"])
    expectEqual(all.map(\.name), ["London", "York", "Bath"])
    expectEqual(session.queries, ["country=uk", "page=2", "country=uk", "page=2"])
  }

  @Test func linksOfTheBodyAreFollowed() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}], "next": "/cities?page=2"}"#))
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "Bath"}]}"#))
    let service = service
    // sample: bodyLinks
    expectEqual(try await pages.collect().flatMap(\.cities).map(\.name), ["London", "Bath"])
  }

  @Test func offsetsPageUpToTheTotal() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}, {"name": "Bath"}], "total": 3}"#))
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "York"}], "total": 3}"#))
    let service = service
    // sample: offsets
    expectEqual(try await pages.collect().flatMap(\.cities).map(\.name), ["London", "Bath", "York"])
    expectEqual(session.requests.last?.url?.query, "limit=100&offset=2")
  }

  @Test func statusBehindTheLastPageEndsTheSequence() async throws {
    session.script(.get, "/cities", .json(#"[{"name": "London"}]"#))
    session.script(.get, "/cities", .status(404))
    let service = service
    // sample: lastStatus
    expectEqual(try await pages.collect().flatMap { $0 }.map(\.name), ["London"])
    expectEqual(session.requests.last?.url?.query, "page=2")
  }

  @Test func cursorsAreFollowedToTheLastPage() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}], "next": "c2"}"#))
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "Bath"}]}"#))
    let service = service
    // sample: cursors
    expectEqual(try await pages.collect().flatMap(\.cities).map(\.name), ["London", "Bath"])
    expectEqual(session.requests.last?.url?.query, "cursor=c2")
  }

  @Test func ownPagingEndsAtARepeatedPage() async throws {
    session.script(.get, "/cities", .json(#"{"cities": [{"name": "London"}], "next": "same"}"#))
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: ownPaging
    let pages = service.pages(of: Request("cities"), as: CursorPage.self, by: paging)
    // sample: pagingError
    expectEqual(shown.count, 1)
    expectEqual(session.fields("X-Cursor"), [nil, "same"])
  }
}
