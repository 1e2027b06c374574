import Foundation
import Testing
import WebServices

// sample: fakesSwitch
#if USE_FAKES
  import WebServicesTesting
#endif

/// Makes the services of the app. No other code knows whether the server is a fake.
enum Services {
  static func make() -> JsonWebService {
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    #if USE_FAKES
      return JsonWebService(
        session: cannedSession(), reachability: FakeReachability(), configuration: configuration)
    #else
      return JsonWebService(configuration: configuration)
    #endif
  }

  #if USE_FAKES
    private static func cannedSession() -> MockURLSession {
      let session = MockURLSession()
      session.script(.get, "/jokes/7", .json(#"{"text": "A canned horse walks into a bar."}"#))
      session.script(.get, "/jokes/8", .response(status: 404))
      return session
    }
  #endif
}
// end of sample

/// The sample on an app that is built with fakes. A step of the checks builds all tests with `USE_FAKES`, and without.
@Suite struct FakesTests {
  private typealias Joke = ReadmeTests.Joke

  #if USE_FAKES
    @Test func fakeOfTheAppResponds() async throws {
      let joke = try await Services.make().sendRequest(Request("jokes/7"), as: Joke.self)
      #expect(joke.text == "A canned horse walks into a bar.")
    }
  #else
    @Test func serviceHasTheRealServer() {
      #expect("\(Services.make())".contains("https://api.example.com"))
    }
  #endif
}
