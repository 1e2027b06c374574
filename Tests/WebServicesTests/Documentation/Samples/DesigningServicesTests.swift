import Foundation
import Testing
import WebServices
import WebServicesTesting

// sample: forwardingService

/// The samples of the article on models and services.
@Suite struct DesigningServicesTests {
  // sample: stringIDs

  // sample: segmentServices

  // sample: injectedService

  private let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))

  private func makeScreen() -> DrawScreen {
    // sample: wiring
    return screen
  }

  private func makeWeb(_ path: String, _ json: String) -> JsonWebService {
    let session = MockURLSession()
    session.script(.get, path, .json(json))
    return JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
  }

  @Test func idsAreReadFromNumbersAndStrings() async throws {
    let web = makeWeb("/tickets", #"[{"id": 1234567890123456789, "drawID": "7", "numbers": [3]}]"#)
    let tickets = try await TicketService(web: web).tickets(ofDraw: "7")
    #expect(tickets.map(\.id.text) == ["1234567890123456789"])
    #expect(tickets.map(\.drawID.text) == ["7"])
  }

  @Test func idIsOneSegmentOfThePath() async throws {
    let web = makeWeb("/draws/7", #"{"id": "7", "numbers": [3], "prizes": [100, 20]}"#)
    #expect(title(of: try await DrawService(web: web).draw(id: "7")) == "2 prizes")
  }

  @Test func realServiceIsMadeWithoutARequest() {
    #expect(makeScreen().draws.web is JsonWebService)
  }

  // sample: oneFake

  // sample: mainActorModel

  @Test(
    arguments: [
      (200, "You meet a lottery."), (404, "There is no fortune today."),
      (500, "The service has a problem (500). Please try again later."),
    ])
  @MainActor
  func modelOfTheMainActorShowsTextOrError(status: Int, shown: String) async {
    let session = MockURLSession()
    session.script(.get, "/fortunes/today", .json(#"{"text": "You meet a lottery."}"#, status: status))
    let web = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    let model = FortuneModel(web: web)
    await model.load().value
    #expect(model.text == shown)
  }

  // sample: mainActorDraft

  @Test @MainActor func modelOfTheMainActorIsSent() async throws {
    let session = MockURLSession()
    for method in [HTTPMethod.post, .put, .get] { session.script(method, "/wishes", .status(204)) }
    let web = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    try await send(Wish(text: "snow"), to: web)
    let bodies = session.requests.compactMap(\.httpBody).map { String(decoding: $0, as: UTF8.self).count }
    #expect(bodies == [25, 25])
    #expect(session.requests.last?.url?.query == "stars=5&text=snow")
  }
}

// sample: optionals
