import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on streams.
@Suite struct StreamsTests {

  // sample: streamModel

  private let session = MockURLSession()

  private var service: JsonWebService {
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    return JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
  }

  private func script(_ path: String, _ text: String) {
    session.script(.get, path, .data(Data(text.utf8)))
  }

  @Test func dataLinesAndModelsAreStreamed() async throws {
    script("/log", "one\ntwo\n")
    script("/prices", "{\"symbol\": \"A\", \"cents\": 3}\n\n{\"symbol\": \"B\", \"cents\": 4}\n")
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    var count = 0
    // sample: streamData
    // sample: streamLines
    // sample: streamModels
    #expect(count == 8)
    #expect(shown == ["one", "two", "A: 3", "B: 4"])
  }

  @Test func eventsContinueUntilTheServerEndsThem() async throws {
    session.script(
      .get, "/feed",
      .data(
        Data("retry: 0\nevent: price\nid: 1\ndata: 3\n\ndata: hello\n\n".utf8),
        headers: ["Content-Type": "text/event-stream"]))
    session.script(.get, "/feed", .status(204))
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: events
    #expect(shown == ["The price is 3.", "hello"])
    #expect(session.requests.last?.value(forHTTPHeaderField: "Last-Event-ID") == "1")
  }

  @Test func reconnectionIsConfigurable() async throws {
    session.script(
      .get, "/feed",
      .data(Data("data: 1\n\n".utf8), headers: ["Content-Type": "text/event-stream"]))
    let feed = RequestDataForStream(path: "feed")
    // sample: reconnecting
    _ = patient
    var count = 0
    for try await _ in single { count += 1 }
    #expect(count == 1)
  }

  // sample: chatModel

  @Test func chatEndsAtItsLastEvent() async throws {
    session.script(
      .post, "/chat",
      .data(
        Data("data: {\"text\": \"Be\"}\n\ndata: {\"text\": \"cause\"}\n\ndata: [DONE]\n\n".utf8),
        headers: ["Content-Type": "text/event-stream"]))
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: chat
    #expect(shown == ["Be", "cause"])
  }

  private func streamByCallback(
    _ log: RequestDataForStream, show: @escaping @MainActor (String) -> Void
  ) -> WebServiceTask {
    // sample: streamCallback
    return task
  }

  @Test func linesArriveByCallback() async {
    script("/log", "one\ntwo\n")
    let words = Collector<String>()
    let task = streamByCallback(RequestDataForStream(path: "log")) { words.append($0) }
    await words.waitForElements(3)
    task.cancel()
    #expect(words.elements == ["one", "two", "The end, after a status of 200."])
  }
}
