import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

extension ProcessTests {
  /// The demo with a server that the test controls.
  @Suite struct OtherServerTests {
    private static let token = "secret-token-4711"
    private static let password = "hunter2-password"
    private let server: LoopbackServer

    init() throws {
      server = try LoopbackServer()
      route(secondsRemaining: 600)
      server.route(
        .get, "/jokes/random",
        .json(#"{"type": "success", "value": [{"id": 7, "joke": "Ha\u001b[31m.", "categories": []}]}"#))
    }

    private func route(secondsRemaining: Int) {
      server.route(
        .post, "/authenticate",
        .json(#"{"apiToken": "\#(Self.token)", "secondsRemaining": \#(secondsRemaining)}"#))
    }

    /// Runs the demo against the server with a password from the environment, and checks that no secret is printed.
    private func run(_ arguments: String..., at address: String? = nil) async throws -> DemoProcess.Outcome {
      try await run(options: arguments, at: address)
    }

    private func run(options: [String], at address: String? = nil) async throws -> DemoProcess.Outcome {
      let arguments = options + ["--user", "ann", "--base-url", address ?? server.baseURL.absoluteString]
      let process = try DemoProcess(arguments, environment: ["FEATHER_PASSWORD": Self.password])
      let outcome = try await process.outcome()
      #expect(!outcome.everything.contains(Self.token))
      #expect(!outcome.everything.contains(Self.password))
      #expect(!outcome.everything.contains("\u{1B}"))
      return outcome
    }

    @Test func thePasswordComesFromTheEnvironment() async throws {
      let outcome = try await run("signin")
      #expect(outcome.status == 0)
      #expect(outcome.output == "Signed in as ann for 10 minutes.\n")
      let sent = try #require(server.requests(.post, "/authenticate").first)
      let body = try JSONDecoder().decode([String: String].self, from: sent.body)
      #expect(body == ["userId": "ann", "password": Self.password])
    }

    @Test func jokesRequestCarriesTheToken() async throws {
      let outcome = try await run("jokes", "--count", "5", "--verbose")
      #expect(outcome.output == "1. Ha\u{FFFD}[31m.\n")
      let sent = try #require(server.requests(.get, "/jokes/random").first)
      #expect(sent.headers["api-token"] == Self.token)
      #expect(sent.query("count") == "5")
    }

    @Test func aTokenThatIsAboutToExpireIsRenewedFirst() async throws {
      route(secondsRemaining: 30)
      server.route(.post, "/renew", .json(#"{"apiToken": "renewed", "secondsRemaining": 600}"#))
      let outcome = try await run("--verbose")
      #expect(outcome.status == 0)
      #expect(outcome.lines.first == "Signed in as ann for 30 seconds.")
      #expect(server.requests.map(\.path) == ["/authenticate", "/renew", "/jokes/random"])
      #expect(server.requests.map { $0.headers["api-token"] } == [nil, Self.token, "renewed"])
    }

    @Test func aRenewalThatFailsIsExplained() async throws {
      route(secondsRemaining: 30)
      server.route(.post, "/renew", .status(401))
      let outcome = try await run("jokes", "--verbose")
      #expect(outcome.status == 1)
      #expect(outcome.errorOutput.contains("fetching jokes failed. Your session couldn't be renewed."))
      #expect(server.requests(.get).isEmpty)
    }

    @Test(arguments: ["", "signin", "jokes"])
    func aBrokenServerIsExplained(_ command: String) async throws {
      let echo = #"{"userId": "ann", "password": "\#(Self.password)", "note": "\#(Self.password) is wrong"}"#
      let responses: [(LoopbackServer.Response, String)] = [
        (.json(echo, status: 500), "The service has a problem (500)."),
        (.json(echo, status: 401), "your sign-in was refused"),
        (.text("garbage"), "couldn't be read"),
        (.json(#"{"apiToken": "\#(Self.token)"}"#), "couldn't be read"),
        (["garbage\r\n\r\n", .close], " failed. "),
        (.status(204), command.isEmpty ? "The response has no body." : "couldn't be read"),
        ([.reset], "lost"),
      ]
      for (response, words) in responses {
        server.route(.post, "/authenticate", response)
        for options in [[], ["--verbose"]] {
          let outcome = try await run(options: [command].filter { !$0.isEmpty } + options)
          #expect(outcome.status == 1, "\(words)")
          #expect(outcome.output == "")
          #expect(outcome.errorOutput.contains("FeatherDemo: signing in failed. "))
          #expect(outcome.errorOutput.contains(words), "\(outcome.errorOutput)")
        }
      }
    }

    @Test func aServerWithoutJokesIsExplained() async throws {
      for (response, words) in [
        (LoopbackServer.Response.status(401), "Please sign in again"), (.status(404), "doesn't exist"),
        (.text("[]"), "couldn't be read"), (.status(503), "(503)"),
      ] {
        server.route(.get, "/jokes/random", response)
        for command in [[], ["jokes"]] {
          let outcome = try await run(options: command)
          #expect(outcome.status == 1)
          #expect(outcome.output == "")
          #expect(outcome.errorOutput.contains("FeatherDemo: fetching jokes failed. "))
          #expect(outcome.errorOutput.contains(words), "\(outcome.errorOutput)")
        }
      }
    }

    @Test func unreachableServerIsExplained() async throws {
      let closed = try ClosedPort()
      let address = "http://127.0.0.1:\(closed.number)"
      for command in [[], ["signin"], ["jokes"], ["signin", "--verbose"]] {
        let outcome = try await run(options: command, at: address)
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errorOutput.contains("The service couldn't be reached."))
        #expect(outcome.errorOutput.contains("Is the server at \(address) running?"))
      }
    }

    @Test func interruptionEndsARequestWithoutAResponse() async throws {
      server.route(.post, "/authenticate", [.stall])
      let process = try DemoProcess(["signin", "--base-url", server.baseURL.absoluteString])
      await server.waitForRequests(count: 1)
      process.interrupt()
      let outcome = try await process.outcome()
      #expect(outcome.status == 130)
      #expect(outcome.everything == "")
    }
  }
}
