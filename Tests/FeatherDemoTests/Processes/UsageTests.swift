import Foundation
import Testing

@testable import FeatherDemo

extension ProcessTests {
  @Suite struct UsageTests {
    @Test(arguments: [
      ["--help"], ["-h"], ["help"], ["signin", "--help"], ["jokes", "-h"], ["serve", "--help"], ["request", "--help"],
      ["download", "--help"], ["upload", "-h"], ["help", "items"], ["watch", "-h"], ["outage", "--help"],
    ])
    func helpGoesToStandardOutput(_ arguments: [String]) async throws {
      let outcome = try await DemoProcess(arguments).outcome()
      #expect(outcome.status == 0)
      #expect(outcome.output.hasPrefix("Usage: FeatherDemo"))
      #expect(outcome.errorOutput == "")
    }

    @Test(arguments: [["--version"], ["jokes", "--version"]])
    func versionGoesToStandardOutput(_ arguments: [String]) async throws {
      let outcome = try await DemoProcess(arguments).outcome()
      #expect(outcome.status == 0)
      #expect(outcome.output == HelpText.version + "\n")
      #expect(outcome.errorOutput == "")
    }

    @Test(arguments: [
      ["joke"], ["--nonsense"], ["jokes", "--count"], ["jokes", "--count", "many"],
      ["jokes", "--count", "0"],
      ["serve", "--port", "65536"], ["signin", "--base-url", "nonsense"], ["jokes", "jokes"],
      ["signin", "--user", "ann", "--base-url", "http://127.0.0.1:1"], ["request", "GET"],
      ["request", "GET", "ftp://host"], ["download", "files/5"], ["upload"], ["items", "--page-size", "none"],
      ["watch", "--count", "many"], ["outage", "--json"],
    ])
    func wrongUsageExitsWithStatus64(_ arguments: [String]) async throws {
      let outcome = try await DemoProcess(arguments).outcome()
      #expect(outcome.status == 64)
      #expect(outcome.output == "")
      #expect(outcome.errorLines.count == 2)
      #expect(outcome.errorLines.first?.hasPrefix("FeatherDemo: ") == true)
      #expect(outcome.errorLines.last?.contains("--help") == true)
    }

    @Test func passwordArgumentIsRefused() async throws {
      for arguments in [["signin", "--password", "hunter2"], ["signin", "--password=hunter2"]] {
        let outcome = try await DemoProcess(arguments).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.errorOutput.contains("FEATHER_PASSWORD"))
        #expect(!outcome.everything.contains("hunter2"))
      }
    }
  }
}
