import Foundation
import WebServices
import WebServicesTesting

/// Makes the session of a build with `USE_FAKES`, which responds without a network. The responses are scripted for the
/// command line.
enum FakeSession {
  /// A host name that can't exist (RFC 2606), so that a request which escapes the fake fails.
  static let host = "fakes.invalid"

  /// - Parameter authorization: the `Authorization` field of all requests; `nil` if they have none.
  static func make(for arguments: Arguments, authorization: String? = nil) -> MockURLSession {
    let session = MockURLSession()
    session.script(.post, "/authenticate", .json(#"{"apiToken": "canned-token", "secondsRemaining": 600}"#))
    session.script(.post, "/renew", .json(#"{"apiToken": "canned-renewed-token", "secondsRemaining": 600}"#))
    session.script(.get, "/jokes/random", jokes(arguments.count))
    for page in pages(of: arguments.pageSize) { session.script(.get, "/items", page) }
    for response in events(arguments.count) { session.script(.get, "/events", response) }
    FeatureFakes.script(session, for: arguments, authorization: authorization)
    scriptTarget(of: arguments, in: session)
    return session
  }

  private static func jokes(_ count: Int) -> MockResponse {
    let jokes = (1...max(1, count)).map { number in
      #"{"id": \#(number), "joke": "Canned joke \#(number): fresh when it was canned.", "categories": ["canned"]}"#
    }
    return .json(#"{"type": "success", "value": [\#(jokes.joined(separator: ", "))]}"#)
  }

  /// The pages in the order in which they are requested: a mock doesn't compare query items.
  private static func pages(of size: Int) -> [MockResponse] {
    stride(from: 0, to: ItemCollection.all.count, by: max(1, size)).map { offset in
      let page = try? JSONText.of(ItemCollection.page(offset: offset, limit: size))
      return .json(page ?? "{}")
    }
  }

  private static func events(_ count: Int) -> [MockResponse] {
    let text = (1...max(1, count)).map(EventFeed.text).joined()
    let events = MockResponse.response(headers: ["Content-Type": "text/event-stream"], body: Data(text.utf8))
    // The stream ends after all events, the client reconnects, and 204 ends its reconnections.
    return [events, .response(status: 204)]
  }

  /// Scripts a response for the URL that the user named.
  private static func scriptTarget(of arguments: Arguments, in session: MockURLSession) {
    switch arguments.command {
    case .request, .download:
      let path = arguments.target?.path ?? "/"
      session.script(arguments.method, path, .json(#"{"canned": true, "path": \#(quoted(path))}"#))
      // A URL may have an empty path, which the mock compares as it is.
      if path == "/" { session.script(arguments.method, "", .json(#"{"canned": true}"#)) }
    case .upload:
      let name = URL(fileURLWithPath: arguments.file).lastPathComponent
      session.script(.put, arguments.target?.path ?? "/uploads/\(name)", .json(#"{"canned": true}"#))
    default: break
    }
  }

  private static func quoted(_ text: String) -> String {
    (try? JSONText.of(text)) ?? "\"\""
  }
}
