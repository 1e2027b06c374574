@testable import WebServicesTestSupport

/// The samples of the articles on the first steps, and on cancelling and the shutdown.
@Suite struct CancellingTests {
  private typealias Joke = ReadmeTests.Joke
  private typealias RequestDataForJoke = ReadmeTests.RequestDataForJoke

  private let service = JsonWebService(over: MockURLSession(["GET /jokes/7": .never]))

  @Test @MainActor func cancelledRequestShowsNothing() async {
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: cancelTask
    while service.requestCount > 0 { await Task.yield() }
    #expect(shown.isEmpty)
  }

  @Test func cancelledSwiftTaskCancelsTheRequest() async {
    // sample: cancelAwaited
    let error = await thrown { try await task.value }
    expectEqual(error?.kind, .cancelled)
  }

  /// Compiled only, because it ends the process.
  private func printAndExit() -> Never {
    // sample: waitingScript
  }

  /// Compiled only: processes that other tests start meanwhile would inherit the ignored signal.
  @MainActor private func cancelOnInterrupt(_ work: Task<Joke, any Error>) {
    // sample: interrupt
  }

  @Test func serviceThatWasShutDownRefusesRequests() async {
    // sample: shutDown
    let error = await thrown { try await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self) }
    expectEqual(error?.kind, .sessionFailure)
  }

  /// Compiled only.
  private func makeConfiguration(_ url: URL) -> WebServiceConfiguration {
    // sample: firstLog
    return configuration
  }
}
