import Foundation
import WebServicesCore

/// Sends one request with a token and a retry. With a URL as its argument it asks that server, else a canned session.
@main
enum Feather {
  static func main() async {
    let server = CommandLine.arguments.dropFirst().first.flatMap { URL(string: $0) }
    let manager = BasicAuthManager()
    manager.update(apiToken: "feather", secondsRemaining: 3600)
    let configuration = WebServiceConfiguration(
      baseURL: server ?? URL(string: "https://api.example.com"),
      retry: RetryPolicy(attemptLimit: 3, backoff: RetryPolicy.Backoff(base: 0.01)))
    let service = JsonWebService(
      session: server == nil ? CannedSession() : nil, tokenManager: manager,
      reachability: server == nil ? AlwaysConnected() : NetworkReachability.shared, configuration: configuration)
    do {
      let joke = try await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self)
      print(joke.text)
    } catch {
      print(error.friendlyDescription)
      exit(1)
    }
  }
}

// Prints: A feather walks into a bar. Nobody hears it.
