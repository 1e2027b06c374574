@testable import WebServicesTestSupport

/// The samples of the article on handling errors.
@Suite struct HandlingErrorsTests {
  private func save(
    _ booking: Request, with service: JsonWebService, show: (String) -> Void, showSignIn: () -> Void,
    log: (String) -> Void
  ) async {
    // sample: errorKinds
  }

  @MainActor
  private func load(with service: JsonWebService, show: @escaping @MainActor (String) -> Void) -> Task<Void, Never> {
    typealias Joke = ReadmeTests.Joke
    // sample: typedCatch
    return task
  }

  @Test @MainActor func errorInsideATaskIsTyped() async {
    var shown: [String] = []
    await load(with: JsonWebService(over: MockURLSession(["GET /jokes/7": .status(404)]))) { shown.append($0) }.value
    expectEqual(shown, ["This doesn't exist (any more)."])
  }

  @Test func errorKindSelectsTheMessage() async {
    let service = JsonWebService(
      over: MockURLSession([
        "POST /bookings": .status(409), "POST /bookings": .status(401), "POST /bookings": .status(404),
      ]))
    var (shown, logged): ([String], [String]) = ([], [])
    for _ in 0..<3 {
      await save(Request("bookings", .post), with: service, show: { shown.append($0) }) {
        shown.append("the sign-in")
      } log: {
        logged.append($0)
      }
    }
    expectEqual(shown, ["Somebody else has booked this seat.", "the sign-in", "This doesn't exist (any more)."])
    expectEqual(logged.count, 3)
    expectEqual(logged.first?.contains("POST https://api.example.com/bookings"), true)
  }
}
