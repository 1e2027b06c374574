import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on reading responses.
@Suite struct ReadingResponsesTests {
  private typealias Joke = ReadmeTests.Joke
  private typealias RequestDataForJoke = ReadmeTests.RequestDataForJoke

  private let session = MockURLSession()

  private var service: JsonWebService {
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com/v1"))
    return JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
  }

  // sample: mappedStatuses
  enum Stock: Equatable, Sendable {
    case available(Int)
    case soldOut
    case unknown
  }

  struct StockResponse: Decodable, Sendable {
    var count: Int
  }

  static let stockParser = ResponseParser.json(StockResponse.self)
    .map { response in Stock.available(response.count) }
    .mapping([409], to: .soldOut)
    .mapping([404, 410], to: .unknown)
  // end of sample

  @Test func parsersReadEveryKindOfValue() async throws {
    session.script(.get, "/v1/terms", .response(body: Data("Be kind.".utf8)))
    session.script(.get, "/v1/logo", .response(body: Data([0x89, 0x50])))
    session.script(.get, "/v1/jokes/7", .json(#"{"text": "Ha"}"#, headers: ["ETag": #""7""#]))
    session.script(.get, "/v1/jokes/8", .response(status: 404))
    let (terms, logo) = (TestRequest(path: "terms"), TestRequest(path: "logo"))
    // sample: parsers
    let text = try await service.sendRequest(terms, parser: .text)
    let bytes = try await service.sendRequest(logo, parser: .data)
    try await service.sendRequest(terms, parser: .nothing)

    let whole = ResponseParser.json(Joke.self).withResponse
    let (response, joke) = try await service.sendRequest(RequestDataForJoke(id: 7), parser: whole)

    let optional = ResponseParser.json(Joke.self).optional(on: 404)
    let missing = try await service.sendRequest(RequestDataForJoke(id: 8), parser: optional)
    // end of sample
    #expect(text == "Be kind.")
    #expect(bytes.count == 2)
    #expect(response.headers["ETag"] == #""7""#)
    #expect(joke.text == "Ha")
    #expect(missing == nil)
  }

  @MainActor
  private func showTerms(show: @escaping @MainActor (String) -> Void) {
    let terms = TestRequest(path: "terms")
    // sample: parserCompletion
    service.sendRequest(terms, parser: .text) { result in
      switch result {
      case .success(let text): show(text)
      case .failure(let error): show(error.friendlyDescription)
      }
    }
    // end of sample
  }

  @Test(arguments: [200: Stock.available(3), 409: .soldOut, 410: .unknown])
  func ownParserMapsStatuses(status: Int, stock: Stock) async throws {
    session.script(.get, "/v1/stock", .json(#"{"count": 3}"#, status: status))
    #expect(try await service.sendRequest(TestRequest(path: "stock"), parser: Self.stockParser) == stock)
  }

  @Test func closureIsAParser() async throws {
    session.script(.get, "/v1/names", .response(body: Data("London\nBath\n".utf8)))
    let names = TestRequest(path: "names")
    // sample: ownParser
    let csv = ResponseParser<[String]>(accept: "text/csv") { response in
      String(decoding: response.body, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    let rows = try await service.sendRequest(names, parser: csv)
    // end of sample
    #expect(rows == ["London", "Bath"])
  }

  @Test func redirectIsAResult() async throws {
    session.script(.get, "/v1/jokes/latest", .response(status: 302, headers: ["Location": "/v1/jokes/9"]))
    // sample: redirectAsResult
    let request = Request("jokes/latest", options: RequestOptions { $0.redirects = .doNotFollow })
    let response = try await service.sendRequest(request, parser: .response.accepting(302))
    let location = response.headers["Location"]
    // end of sample
    #expect(location == "/v1/jokes/9")
    #expect(session.requests.count == 1)
  }

  @Test func notModifiedKeepsTheKnownValue() async throws {
    session.script(.get, "/v1/jokes/7", .response(status: 304))
    let (tag, known) = (#""7""#, Joke(text: "Known"))
    // sample: notModified
    let request = Request("jokes/7", headers: ["If-None-Match": tag])
    let parser = ResponseParser.json(Joke.self).optional(on: 304)
    let joke = try await service.sendRequest(request, parser: parser) ?? known
    // end of sample
    #expect(joke.text == "Known")
    #expect(session.requests.first?.value(forHTTPHeaderField: "If-None-Match") == tag)
  }

  @Test func datesFollowTheConfiguredDecoder() {
    var configuration = WebServiceConfiguration()
    // sample: decoder
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    configuration.decoder = decoder
    // end of sample
    #expect(configuration.decoder === decoder)
  }

  private func logFailure(log: (String) -> Void) async {
    // sample: decodingFailure
    do {
      _ = try await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self)
    } catch {
      if let failure = error.decodingFailure {
        log("\(failure.codingPath), line \(failure.line): expected \(failure.expected ?? "something else")")
        log("\(failure)")
      }
    }
    // end of sample
  }
}
