@testable import WebServicesTestSupport

// sample: fakesSwitch

/// The sample on an app that is built with fakes. A step of the checks builds all tests with `USE_FAKES`, and without.
@Suite struct FakesTests {
  private typealias Joke = ReadmeTests.Joke

  #if USE_FAKES
    @Test func fakeOfTheAppResponds() async throws {
      let joke = try await Services.make().sendRequest(Request("jokes/7"), as: Joke.self)
      expectEqual(joke.text, "A canned horse walks into a bar.")
    }
  #else
    @Test func serviceHasTheRealServer() {
      #expect("\(Services.make())".contains("https://api.example.com"))
    }
  #endif
}
