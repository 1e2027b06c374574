@testable import WebServicesTestSupport

// sample: importXML

/// The samples of the article on reading responses.
@Suite struct ReadingResponsesTests {
  private typealias Joke = ReadmeTests.Joke
  private typealias RequestDataForJoke = ReadmeTests.RequestDataForJoke

  private let session = MockURLSession()

  private var service: JsonWebService {
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com/v1"))
    return JsonWebService(over: session, configuration)
  }

  // sample: mappedStatuses

  @Test func parsersReadEveryKindOfValue() async throws {
    session.script([
      "GET /v1/terms": .text("Be kind."), "GET /v1/logo": .data(Data([0x89, 0x50])),
      "GET /v1/jokes/7": .json(#"{"text": "Ha"}"#, headers: ["ETag": #""7""#]), "GET /v1/jokes/8": .status(404),
    ])
    let (terms, logo) = (TestRequest(path: "terms"), TestRequest(path: "logo"))
    // sample: parsers
    expectEqual(text, "Be kind.")
    expectEqual(bytes.count, 2)
    expectEqual(response.headers["ETag"], #""7""#)
    expectEqual(joke.text, "Ha")
    #expect(missing == nil)
  }

  @MainActor
  private func showTerms(show: @escaping @MainActor (String) -> Void) {
    let terms = TestRequest(path: "terms")
    // sample: parserCompletion
  }

  @Test(arguments: [200: Stock.available(3), 409: .soldOut, 410: .unknown])
  func ownParserMapsStatuses(status: Int, stock: Stock) async throws {
    session.script(.get, "/v1/stock", .json(#"{"count": 3}"#, status: status))
    expectEqual(try await service.sendRequest(TestRequest(path: "stock"), parser: Self.stockParser), stock)
  }

  @Test func parserOfAnotherValueIsWrittenInTheCall() async throws {
    let request = TestRequest(path: "stock")
    session.script(["GET /v1/stock": .status(404), "GET /v1/stock": .json(#"{"count": 3}"#)])
    // sample: inlineParser
    #expect(stock == nil)
    #expect(response.statusCode == 200 && value.count == 3)
  }

  @Test func closureIsAParser() async throws {
    session.script(.get, "/v1/names", .data(Data("London\nBath\n".utf8)))
    let names = TestRequest(path: "names")
    // sample: ownParser
    expectEqual(rows, ["London", "Bath"])
  }

  // sample: titleReader

  @Test func feedIsRead() async throws {
    session.script(.get, "/v1/feed", .data(Data("<rss><title>News</title><item><title>Rain</title></item></rss>".utf8)))
    // sample: feedParser
    expectEqual(titles, ["News", "Rain"])
  }

  @Test func redirectIsAResult() async throws {
    session.script(.get, "/v1/jokes/latest", .status(302, headers: ["Location": "/v1/jokes/9"]))
    // sample: redirectAsResult
    expectEqual(location, "/v1/jokes/9")
    expectEqual(session.requests.count, 1)
  }

  @Test func notModifiedKeepsTheKnownValue() async throws {
    session.script(.get, "/v1/jokes/7", .status(304))
    let (tag, known) = (#""7""#, Joke(text: "Known"))
    // sample: notModified
    expectEqual(joke.text, "Known")
    expectEqual(session.fields("If-None-Match"), [tag])
  }

  /// Compiled only.
  private func logFailure(_ configuration: inout WebServiceConfiguration, log: (String) -> Void) async {
    // sample: decoder
    // sample: decodingFailure
  }
}
