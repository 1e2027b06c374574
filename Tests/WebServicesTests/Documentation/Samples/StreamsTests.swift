@testable import WebServicesTestSupport

/// The samples of the article on streams.
@Suite struct StreamsTests {

  // sample: streamModel

  private let session = MockURLSession()

  private var service: JsonWebService { JsonWebService(over: session) }

  private func events(_ text: String) -> MockResponse {
    .data(Data(text.utf8), headers: ["Content-Type": "text/event-stream"])
  }

  @Test func dataLinesAndModelsAreStreamed() async throws {
    session.script([
      "GET /log": .text("one\ntwo\n"),
      "GET /prices": .text("{\"symbol\": \"A\", \"cents\": 3}\n\n{\"symbol\": \"B\", \"cents\": 4}\n"),
    ])
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    var count = 0
    // sample: streamData
    // sample: streamLines
    // sample: streamModels
    expectEqual(count, 8)
    expectEqual(shown, ["one", "two", "A: 3", "B: 4"])
  }

  @Test func eventsContinueUntilTheServerEndsThem() async throws {
    session.script([
      "GET /feed": events("retry: 0\nevent: price\nid: 1\ndata: 3\n\ndata: hello\n\n"), "GET /feed": .status(204),
    ])
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: events
    expectEqual(shown, ["The price is 3.", "hello"])
    expectEqual(session.fields("Last-Event-ID").last, "1")
  }

  @Test func reconnectionIsConfigurable() async throws {
    session.script(.get, "/feed", events("data: 1\n\n"))
    let feed = RequestDataForStream(path: "feed")
    // sample: reconnecting
    _ = patient
    var count = 0
    for try await _ in single { count += 1 }
    expectEqual(count, 1)
  }

  // sample: chatModel

  @Test func chatEndsAtItsLastEvent() async throws {
    session.script(
      .post, "/chat", events("data: {\"text\": \"Be\"}\n\ndata: {\"text\": \"cause\"}\n\ndata: [DONE]\n\n"))
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: chat
    expectEqual(shown, ["Be", "cause"])
  }

  private func streamByCallback(
    _ log: RequestDataForStream, show: @escaping @MainActor (String) -> Void
  ) -> WebServiceTask {
    // sample: streamCallback
    return task
  }

  @Test func linesArriveByCallback() async {
    session.script(.get, "/log", .text("one\ntwo\n"))
    let words = Collector<String>()
    let task = streamByCallback(RequestDataForStream(path: "log")) { words.append($0) }
    await words.waitForElements(3)
    task.cancel()
    expectEqual(words.elements, ["one", "two", "The end, after a status of 200."])
  }
}
