import Foundation
import Testing
import WebServicesTesting

@testable import FeatherDemo

extension ProcessTests {
  /// The demo without options, which starts its own backend.
  @Suite struct OwnBackendTests {
    @Test func defaultCommandSignsInAndShowsTenJokes() async throws {
      let outcome = try await DemoProcess.run()
      #expect(outcome.status == 0)
      #expect(outcome.lines.count == 11)
      #expect(outcome.lines.first == "Signed in as demo for 10 minutes.")
      #expect(outcome.lines.last?.hasPrefix("10. ") == true)
      #expect(outcome.errorOutput == "")
    }

    @Test func signInIsOneLine() async throws {
      let outcome = try await DemoProcess.run("signin")
      #expect(outcome.status == 0)
      #expect(outcome.output == "Signed in as demo for 10 minutes.\n")
      #expect(outcome.errorOutput == "")
    }

    @Test(arguments: ["<&-", "</dev/null", "2>&-"])
    func signInNeedsNoInputAndNoErrorOutput(_ redirection: String) async throws {
      let outcome = try await DemoProcess.run("signin", redirection: redirection)
      #expect(outcome.status == 0)
      #expect(outcome.output == "Signed in as demo for 10 minutes.\n")
    }

    @Test func jokesArePrintedOnePerLine() async throws {
      let outcome = try await DemoProcess.run("jokes", "--count", "3")
      #expect(outcome.status == 0)
      #expect(outcome.lines.count == 3)
      let known = Set(JokeCollection.all.map(\.joke))
      #expect(outcome.lines.allSatisfy { known.contains(String($0.dropFirst(3))) })
    }

    @Test func jsonOutputCanBeDecoded() async throws {
      struct Everything: Decodable {
        var user: String
        var secondsRemaining: Int
        var jokes: [Joke]
      }
      struct SignedIn: Decodable {
        var user: String
        var secondsRemaining: Int
      }
      struct Jokes: Decodable {
        var jokes: [Joke]
      }
      let everything = try await DemoProcess.run("--json", "--count", "2")
      let decoded = try JSONDecoder().decode(Everything.self, from: Data(everything.output.utf8))
      #expect(decoded.user == "demo" && decoded.secondsRemaining == 600 && decoded.jokes.count == 2)
      let signedIn = try await DemoProcess.run("signin", "--json", "--user", "ann")
      #expect(try JSONDecoder().decode(SignedIn.self, from: Data(signedIn.output.utf8)).user == "ann")
      let jokes = try await DemoProcess.run("jokes", "--json", "--verbose")
      #expect(try JSONDecoder().decode(Jokes.self, from: Data(jokes.output.utf8)).jokes.count == 10)
    }

    @Test func theTimelineOfEachRequestIsDrawnOnErrorOutput() async throws {
      let outcome = try await DemoProcess.run("jokes", "--verbose")
      #expect(outcome.status == 0)
      #expect(outcome.lines.count == 10)
      let heads = outcome.errorLines.filter { $0.hasPrefix("#") }
      #expect(heads.count == 2)
      #expect(heads.first?.hasPrefix("#1 success, ") == true && heads.first?.contains("ms: POST http") == true)
      #expect(heads.last?.hasSuffix("/jokes/random?count=10") == true)
      #expect(outcome.errorOutput.components(separatedBy: "  attempt 1: 200 over HTTP/1.1, ").count == 3)
      #expect(outcome.errorLines.contains { $0.hasPrefix("    first byte ") && $0.hasSuffix("|") })
    }

    @Test func aWrongPasswordIsRefused() async throws {
      for arguments in [["signin"], ["signin", "--verbose"], [], ["jokes", "--json"]] {
        let process = try DemoProcess(arguments, environment: ["FEATHER_PASSWORD": "hunter2"])
        let outcome = try await process.outcome()
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errorOutput.contains("FeatherDemo: signing in failed. "))
        #expect(outcome.errorOutput.contains("FEATHER_PASSWORD"))
        #expect(!outcome.errorOutput.contains("hunter2"))
      }
    }

    @Test func closedPipeEndsTheDemoQuietly() async throws {
      let outcome = try await DemoProcess.run("jokes", redirection: "| :")
      #expect(outcome.errorOutput == "")
    }

    @Test func unprintableResultsFailTheCommand() async throws {
      let outcome = try await DemoProcess.run("jokes", redirection: ">&-")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errorOutput.hasPrefix("FeatherDemo: the results can't be printed: "))
    }
  }
}
