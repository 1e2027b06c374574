import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on streams.
@Suite struct StreamsTests {

  // sample: streamModel
  nonisolated struct Price: Decodable, Sendable {
    var symbol: String
    var cents: Int
  }

  struct RequestDataForStream: WebServiceRequestData {
    var path: String
    var options: RequestOptions { RequestOptions { $0.timeout = 60 } }
  }
  // end of sample

  private let session = MockURLSession()

  private var service: JsonWebService {
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    return JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
  }

  private func script(_ path: String, _ text: String) {
    session.script(.get, path, .response(body: Data(text.utf8)))
  }

  @Test func dataLinesAndModelsAreStreamed() async throws {
    script("/log", "one\ntwo\n")
    script("/prices", "{\"symbol\": \"A\", \"cents\": 3}\n\n{\"symbol\": \"B\", \"cents\": 4}\n")
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    var count = 0
    // sample: streamData
    let log = RequestDataForStream(path: "log")
    let stream = try await service.stream(log, as: .data)
    for try await piece in stream { count += piece.count }
    // end of sample
    // sample: streamLines
    for try await line in try await service.stream(log, as: .lines) { show(line) }
    // end of sample
    // sample: streamModels
    let prices = RequestDataForStream(path: "prices")
    for try await price in try await service.stream(prices, as: .jsonLines(Price.self)) {
      show("\(price.symbol): \(price.cents)")
    }
    // end of sample
    #expect(count == 8)
    #expect(shown == ["one", "two", "A: 3", "B: 4"])
  }

  @Test func eventsContinueUntilTheServerEndsThem() async throws {
    session.script(
      .get, "/feed",
      .response(
        headers: ["Content-Type": "text/event-stream"],
        body: Data("retry: 0\nevent: price\nid: 1\ndata: 3\n\ndata: hello\n\n".utf8)))
    session.script(.get, "/feed", .response(status: 204))
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: events
    let feed = RequestDataForStream(path: "feed")
    for try await event in service.serverSentEvents(feed) {
      switch event.event {
      case "price": show("The price is \(event.data).")
      default: show(event.data)
      }
    }
    // end of sample
    #expect(shown == ["The price is 3.", "hello"])
    #expect(session.requests.last?.value(forHTTPHeaderField: "Last-Event-ID") == "1")
  }

  @Test func reconnectionIsConfigurable() async throws {
    session.script(
      .get, "/feed",
      .response(headers: ["Content-Type": "text/event-stream"], body: Data("data: 1\n\n".utf8)))
    let feed = RequestDataForStream(path: "feed")
    // sample: reconnecting
    let patient = service.serverSentEvents(feed, reconnecting: ReconnectionPolicy(maximumAttempts: 5, delay: 1))
    let single = service.serverSentEvents(feed, reconnecting: .none)
    // end of sample
    _ = patient
    var count = 0
    for try await _ in single { count += 1 }
    #expect(count == 1)
  }

  // sample: chatModel
  struct RequestDataForChat: WebServiceRequestData {
    var question: String
    var path: String { "chat" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { ["stream": true, "messages": [["role": "user", "content": question]]] }
  }

  nonisolated struct ChatPiece: Decodable, Sendable {
    var text: String
  }
  // end of sample

  @Test func chatEndsAtItsLastEvent() async throws {
    session.script(
      .post, "/chat",
      .response(
        headers: ["Content-Type": "text/event-stream"],
        body: Data("data: {\"text\": \"Be\"}\n\ndata: {\"text\": \"cause\"}\n\ndata: [DONE]\n\n".utf8)))
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: chat
    for try await event in service.serverSentEvents(RequestDataForChat(question: "Why?")) {
      if event.data == "[DONE]" { break }
      let piece = try JSONDecoder().decode(ChatPiece.self, from: Data(event.data.utf8))
      show(piece.text)
    }
    // end of sample
    #expect(shown == ["Be", "cause"])
  }

  private func streamByCallback(
    _ log: RequestDataForStream, queue: DispatchQueue, show: @escaping @Sendable (String) -> Void
  ) -> WebServiceTask {
    // sample: streamCallback
    let task = service.stream(log, as: .lines, callbackQueue: queue) { line in
      show(line)
    } completion: { result in
      switch result {
      case .success(let response): show("The end, after a status of \(response.statusCode).")
      case .failure(let error): show(error.friendlyDescription)
      }
    }
    // end of sample
    return task
  }

  @Test func linesArriveByCallback() async {
    script("/log", "one\ntwo\n")
    let words = Collector<String>()
    let task = streamByCallback(RequestDataForStream(path: "log"), queue: DispatchQueue(label: "log")) {
      words.append($0)
    }
    await words.waitForElements(3)
    task.cancel()
    #expect(words.elements == ["one", "two", "The end, after a status of 200."])
  }
}
