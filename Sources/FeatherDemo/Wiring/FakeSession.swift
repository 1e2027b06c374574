import Foundation
import WebServices
import WebServicesDoubles

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes the session of a build with `USE_FAKES`, which responds without a network.
enum FakeSession {
  /// A host that can't exist (RFC 2606), so that a request which escapes the fake fails.
  static let address = "http://fakes.invalid"

  static func make(for arguments: Arguments) -> MockURLSession {
    MockURLSession { request in response(to: request, arguments) }
  }

  private static func response(to request: URLRequest, _ arguments: Arguments) -> MockResponse {
    let user = arguments.user ?? DemoAccount.user
    switch request.url?.path ?? "" {
    case "/authenticate", "/renew": return json(AuthenticationInfo(apiToken: "canned-token", secondsRemaining: 600))
    case "/jokes/random": return json(JokeListResponse(type: "success", value: jokes(arguments.count)))
    case "/events": return events(after: request.value(forHTTPHeaderField: "Last-Event-ID"), arguments.count)
    case "/v1/cities": return json(CitiesResponse(cities: [City(name: "London"), City(name: "Bath")]))
    case "/photos/\(arguments.photoID)": return json(DemoBackend.photo(arguments.photoID, at: address))
    case "/menu/login": return json(["userId": "4711", "name": user])
    case "/menu/results": return .json(DemoBackend.lotoResults)
    case "/authorize":
      // The canned token is the user's name.
      let credentials = try? JSONDecoder().decode(AppUser.Credentials.self, from: request.httpBody ?? Data())
      return json(["token": credentials?.username ?? user])
    case "/deauthorize": return .status(204)
    case "/account":
      let token = request.value(forHTTPHeaderField: "Authorization")?.split(separator: " ").last.map(String.init)
      return token.map { json(["username": $0]) } ?? .status(401)
    case AccountStory.slowCall: return .never
    case let path: return json(["canned": path])
    }
  }

  private static func json(_ value: some Encodable) -> MockResponse {
    do { return .json(try JSONText.of(value)) } catch { return .failure(error) }
  }

  private static func jokes(_ count: Int) -> [Joke] {
    (1...count).map {
      Joke(id: $0, joke: "Canned joke \($0): fresh when it was canned.", categories: ["canned"])
    }
  }

  /// All events at once. The client then reconnects, and 204 ends its reconnections.
  private static func events(after last: String?, _ count: Int) -> MockResponse {
    guard last == nil else { return .status(204) }
    let text = (1...count).map(EventFeed.text).joined()
    return .data(Data(text.utf8), headers: ["Content-Type": "text/event-stream"])
  }
}
