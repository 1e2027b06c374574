import Foundation
import Testing
import WebServices
import WebServicesTesting

// sample: forwardingService
/// Logs every request of a service: models, pages, streams and downloads.
final class LoggedService: JsonWebServiceable {
  private let next: any JsonWebServiceable
  private let log: @Sendable (String) -> Void

  init(_ next: any JsonWebServiceable, log: @escaping @Sendable (String) -> Void) {
    (self.next, self.log) = (next, log)
  }

  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    log(requestData.path)
    return next.sendRequest(requestData, parser: parser, callbackQueue: callbackQueue, completion: completion)
  }

  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value {
    log(requestData.path)
    return try await next.sendRequest(requestData, parser: parser, isolation: isolation)
  }
}
// end of sample

/// The samples of the article on models and services.
@Suite struct DesigningServicesTests {
  // sample: stringIDs
  struct ID: Decodable, Hashable, Sendable {
    let text: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      text = try (try? value.decode(String.self)) ?? String(value.decode(Int64.self))
    }
  }

  struct Ticket: Decodable, Sendable {
    let id: ID
    let drawID: ID
    let numbers: [Int]
  }
  // end of sample

  // sample: segmentServices
  struct DrawService: Sendable {
    let web: any JsonWebServiceable

    func latestDraw() async throws(WebServiceError) -> Draw {
      try await web.sendRequest(Request("draws/latest"), as: Draw.self)
    }

    func draw(id: String) async throws(WebServiceError) -> Draw {
      try await web.sendRequest(Request("draws/\(segment: id)"), as: Draw.self)
    }
  }

  struct TicketService: Sendable {
    let web: any JsonWebServiceable

    func tickets(ofDraw id: String) async throws(WebServiceError) -> [Ticket] {
      try await web.sendRequest(Request("tickets", query: ["draw": id]), as: [Ticket].self)
    }
  }
  // end of sample

  // sample: injectedService
  struct DrawScreen {
    let draws: DrawService

    func text() async -> String {
      do { return title(of: try await draws.latestDraw()) } catch { return error.friendlyDescription }
    }
  }
  // end of sample

  private let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))

  private func makeScreen() -> DrawScreen {
    // sample: wiring
    let web = JsonWebService(configuration: configuration)
    let screen = DrawScreen(draws: DrawService(web: web))
    // end of sample
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
  @Test func missingPrizesAreNotCalledZero() async {
    let session = MockURLSession()
    session.script(.get, "/draws/latest", .json(#"{"id": "7", "numbers": [3, 14, 15]}"#))
    let web = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)

    let screen = DrawScreen(draws: DrawService(web: web))
    #expect(await screen.text() == "The prizes aren't known yet.")
  }
  // end of sample

  // sample: mainActorModel
  struct Fortune: Decodable, Sendable {
    var text: String
  }

  @MainActor final class FortuneModel {
    private let web: any JsonWebServiceable
    private(set) var text = ""

    init(web: any JsonWebServiceable) {
      self.web = web
    }

    func load() -> Task<Void, Never> {
      Task {
        let perhaps = ResponseParser.json(Fortune.self).optional(on: 404)
        do {
          let fortune = try await web.sendRequest(Request("fortunes/today"), parser: perhaps)
          text = fortune?.text ?? "There is no fortune today."
        } catch {
          text = error.friendlyDescription
        }
      }
    }
  }
  // end of sample

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
}

// sample: optionals
struct Draw: Decodable, Sendable {
  var id: String
  var numbers: [Int]
  var extraNumber: Int?
  var prizes: [Int]?
}

func title(of draw: Draw) -> String {
  guard let prizes = draw.prizes else { return "The prizes aren't known yet." }
  return "\(prizes.count) prizes"
}
// end of sample
