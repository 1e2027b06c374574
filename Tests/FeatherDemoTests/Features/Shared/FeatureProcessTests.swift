import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

extension ProcessTests {
  /// The features' commands, each in its own process.
  @Suite struct FeatureProcessTests {
    private static let commands = [["cities"], ["account"], ["photo", "7"], ["menu", "login"]]

    @Test func citiesArePrintedOnePerLine() async throws {
      let outcome = try await DemoProcess.run("cities")
      #expect(outcome.status == 0)
      #expect(outcome.errorOutput == "")
      #expect(outcome.lines.map(String.init) == DemoBackend.cities.cities.map(\.name) + ["6 cities."])
      let json = try await DemoProcess.run("cities", "--json")
      #expect(try JSONDecoder().decode(CitiesResponse.self, from: Data(json.output.utf8)) == DemoBackend.cities)
    }

    @Test func anAccountShowsWhatWasCancelled() async throws {
      let outcome = try await DemoProcess.run("account", "--user", "ann")
      #expect(outcome.status == 0)
      #expect(outcome.errorOutput == "")
      #expect(outcome.lines.first == "Signed in as ann.")
      for call in AccountStory.slowCalls {
        #expect(outcome.output.contains("\(call) was cancelled: it belonged to ann."))
      }
      #expect(outcome.output.contains("/account succeeded, for guest."))
      #expect(outcome.lines.last == "  /account was refused, for nobody (401).")
    }

    @Test func aPhotoIsShown() async throws {
      let outcome = try await DemoProcess.run("photo", "7")
      #expect(outcome.status == 0)
      #expect(outcome.lines.first == "Photo 7 of album 2: Feather number 7")
      let missing = try await DemoProcess.run("photo", "99")
      #expect(missing.status == 1)
      #expect(missing.errorOutput.contains("fetching the photo failed. This doesn't exist"))
    }

    @Test func aLoginShowsResults() async throws {
      let outcome = try await DemoProcess.run("menu", "login", "--user", "ann & bob")
      #expect(outcome.status == 0)
      #expect(outcome.lines.first == "Logged in as ann & bob (id 4711).")
      #expect(outcome.lines.last == "2024-05-08  Wednesday: 2 7 18 28 31, prizes not known yet")
    }

    @Test func refusedPasswordShowsTheServersMessage() async throws {
      for (command, words) in [("menu login", "The service says: The user or the password is wrong. (17)")]
        + ["cities", "account"].map({ ($0, "your sign-in was refused") })
      {
        let process = try DemoProcess(
          command.split(separator: " ").map(String.init), environment: ["FEATHER_PASSWORD": "hunter2"])
        let outcome = try await process.outcome()
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errorOutput.contains(words), "\(outcome.errorOutput)")
        #expect(outcome.errorOutput.contains("FEATHER_PASSWORD"))
        #expect(!outcome.errorOutput.contains("hunter2"))
      }
    }

    @Test(arguments: commands)
    func unreachableServerIsExplained(_ command: [String]) async throws {
      let closed = try ClosedPort()
      let address = "http://127.0.0.1:\(closed.number)"
      let outcome = try await DemoProcess(command + ["--base-url", address]).outcome()
      #expect(outcome.status == 1)
      #expect(outcome.output == "")
      #expect(outcome.errorOutput.contains("The service couldn't be reached."))
      #expect(outcome.errorOutput.contains("Is the server at \(address) running?"))
    }

    @Test(arguments: commands)
    func helpOfEachCommandShowsItsUsage(_ command: [String]) async throws {
      let outcome = try await DemoProcess(command + ["--help"]).outcome()
      #expect(outcome.status == 0)
      #expect(outcome.output.hasPrefix("Usage: FeatherDemo \(command[0])"))
      #expect(outcome.errorOutput == "")
    }

    @Test(arguments: [
      ["photo"], ["photo", "0"], ["photo", "-1"], ["photo", "32768"], ["photo", "one"], ["photo", "1", "2"],
      ["photo", "1", "--user", "a"], ["menu"], ["menu", "logout"], ["menu", "login", "now"], ["cities", "london"],
      ["account", "--count", "3"], ["menu", "login", "--password", "hunter2"],
    ])
    func wrongUsageExitsWithStatus64(_ arguments: [String]) async throws {
      let outcome = try await DemoProcess(arguments).outcome()
      #expect(outcome.status == 64)
      #expect(outcome.output == "")
      #expect(outcome.errorLines.count == 2)
      #expect(!outcome.everything.contains("hunter2"))
    }
  }
}
