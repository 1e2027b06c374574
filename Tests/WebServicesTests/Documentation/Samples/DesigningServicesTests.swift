@testable import WebServicesTestSupport

// sample: forwardingService

/// The samples of the article on models and services.
@Suite struct DesigningServicesTests {
  // sample: stringIDs

  // sample: segmentServices

  // sample: injectedService

  private let configuration = WebServiceConfiguration.sample

  private func makeScreen() -> DrawScreen {
    // sample: wiring
    return screen
  }

  private func makeWeb(_ path: String, _ json: String) -> JsonWebService {
    JsonWebService(over: MockURLSession(["GET \(path)": .json(json)]))
  }

  @Test func idsAreReadFromNumbersAndStrings() async throws {
    let web = makeWeb("/tickets", #"[{"id": 1234567890123456789, "drawID": "7", "numbers": [3]}]"#)
    let tickets = try await TicketService(web: web).tickets(ofDraw: "7")
    expectEqual(tickets.map(\.id.text), ["1234567890123456789"])
    expectEqual(tickets.map(\.drawID.text), ["7"])
  }

  @Test func idIsOneSegmentOfThePath() async throws {
    let web = makeWeb("/draws/7", #"{"id": "7", "numbers": [3], "prizes": [100, 20]}"#)
    expectEqual(title(of: try await DrawService(web: web).draw(id: "7")), "2 prizes")
  }

  // sample: oneFake

  // sample: mainActorModel

  @Test(arguments: [
    (200, "You meet a lottery."), (404, "There is no fortune today."),
    (500, "The service has a problem (500). Please try again later."),
  ])
  @MainActor
  func modelOfTheMainActorShowsTextOrError(status: Int, shown: String) async {
    let session = MockURLSession(["GET /fortunes/today": .json(#"{"text": "You meet a lottery."}"#, status: status)])
    let model = FortuneModel(web: JsonWebService(over: session))
    await model.load().value
    expectEqual(model.text, shown)
  }

  // sample: mainActorDraft

  @Test @MainActor func modelOfTheMainActorIsSent() async throws {
    let session = MockURLSession([
      "POST /wishes": .status(204), "PUT /wishes": .status(204), "GET /wishes": .status(204),
    ])
    try await send(Wish(text: "snow"), to: JsonWebService(over: session))
    let bodies = session.requests.compactMap(\.httpBody).map { String(decoding: $0, as: UTF8.self).count }
    expectEqual(bodies, [25, 25])
    expectEqual(session.requests.last?.url?.query, "stars=5&text=snow")
  }
}

// sample: optionals
