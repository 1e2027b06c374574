import Foundation
import WebServices
import WebServicesTesting

/// The canned answers of a build with `USE_FAKES`.
enum FakeSession {
  /// Nothing is ever sent there.
  static let host = "fakes.invalid"

  static func make(numberOfJokes: Int) -> MockURLSession {
    let session = MockURLSession()
    session.script(.post, "/authenticate", .json(#"{"apiToken": "canned-token", "secondsRemaining": 600}"#))
    session.script(.post, "/renew", .json(#"{"apiToken": "canned-renewed-token", "secondsRemaining": 600}"#))
    session.script(.get, "/jokes/random", jokes(numberOfJokes))
    return session
  }

  private static func jokes(_ count: Int) -> MockAnswer {
    let jokes = (1...max(1, count)).map { number in
      #"{"id": \#(number), "joke": "Canned joke \#(number): fresh when it was canned.", "categories": ["canned"]}"#
    }
    return .json(#"{"type": "success", "value": [\#(jokes.joined(separator: ", "))]}"#)
  }
}
