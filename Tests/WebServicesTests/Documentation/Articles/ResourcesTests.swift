import Foundation
import Testing
import WebServices
import WebServicesTesting

// sample: backend
extension Backend {
  static let catalogue = Backend("catalogue")
}

extension BackendEnvironment {
  static let live = BackendEnvironment("live", [.catalogue: "https://api.example.com"])
  static let local = BackendEnvironment("local", [.catalogue: "http://localhost:8080"])
}

enum MemberAuth: BackendAuth {
  static let authorization = WebServiceAuthorizationType.bearer
}
// end of sample

// sample: resources
nonisolated struct Book: Codable, Hashable, Sendable {
  var title: String
}

nonisolated struct Review: Codable, Hashable, Sendable {
  var stars: Int
}

struct CatalogueService {
  static func fetchBookResource(id: Int) -> BackendResource<Void, Book, NoAuth> {
    BackendResource(path: .api(.catalogue, "/v1/books/\(id)"), method: .get)
  }

  static func addReviewResource(book: Int) -> BackendResource<Review, Void, MemberAuth> {
    BackendResource(path: .api(.catalogue, "/v1/books/\(book)/reviews"), method: .post)
  }
}
// end of sample

// sample: injected
nonisolated protocol MemberAccessible: AuthenticatedAccessible where Auth == MemberAuth {}
extension AuthenticatedAccessor: MemberAccessible where Auth == MemberAuth {}

protocol ReviewsBusinessControllerProtocol {
  func add(_ review: Review, to book: Int) async throws
}

struct ReviewsBusinessController: ReviewsBusinessControllerProtocol {
  let accessible: any MemberAccessible

  func add(_ review: Review, to book: Int) async throws {
    try await accessible.access(CatalogueService.addReviewResource(book: book), with: review)
  }
}
// end of sample

// sample: stub
struct StubMembers: MemberAccessible {
  typealias Auth = MemberAuth
  var response: WebServiceResponse

  func access<Request, Response>(
    _ resource: BackendResource<Request, Response, MemberAuth>, with request: Request, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, WebServiceError>) -> Void
  ) -> WebServiceTask {
    let result = Result { try resource.parser.parse(response) }
      .mapError { WebServiceError(.undecodableBody, underlying: $0) }
    callbackQueue.async { completion(result) }
    return WebServiceTask()
  }
}
// end of sample

/// The samples of the article on typed resources.
@Suite struct ResourcesTests {
  @Test func accessorsSendOpenAndAuthorizedResources() async throws {
    let session = MockURLSession()
    session.script(.get, "/v1/books/5", .json(#"{"title": "Emma"}"#))
    session.script(.post, "/v1/books/5/reviews", .response(status: 201))
    let service = JsonWebService(
      session: session, tokenManager: FakeTokenManager(token: "t0ken"), reachability: FakeReachability())
    // sample: access
    let everybody = ResourceAccessor(service: service, environment: .live)
    let book = try await everybody.access(CatalogueService.fetchBookResource(id: 5))

    let members = AuthenticatedAccessor<MemberAuth>(service: service, environment: .live)
    try await members.access(CatalogueService.addReviewResource(book: 5), with: Review(stars: 4))
    // end of sample
    #expect(book.title == "Emma")
    #expect(session.requests.last?.url?.absoluteString == "https://api.example.com/v1/books/5/reviews")
    #expect(session.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer t0ken")
  }

  @Test func controllerIsTestedWithStub() async throws {
    let url = try #require(URL(string: "https://api.example.com"))
    let controller = ReviewsBusinessController(
      accessible: StubMembers(response: WebServiceResponse(statusCode: 201, url: url)))
    try await controller.add(Review(stars: 5), to: 5)
  }
}
