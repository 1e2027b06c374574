@testable import WebServicesTestSupport

@testable import FeatherDemo

/// The demo with its own server.
@Suite(.serialized) struct OwnServerTests {
  @Test func defaultCommandSignsInAndShowsTenJokes() async throws {
    let outcome = try await DemoProcess.run()
    expectEqual(outcome.status, 0)
    expectEqual(outcome.lines.count, 11)
    expectEqual(outcome.lines.first, "Signed in as demo for 10 minutes.")
    expectEqual(outcome.lines.last?.hasPrefix("10. "), true)
    expectEqual(outcome.errorOutput, "")
  }

  @Test func eachCommandPrintsItsResult() async throws {
    let cases: [([String], String)] = [
      (["signin", "--user", "ann"], "Signed in as ann for 10 minutes.\n"), (["jokes", "--count", "1"], "1. "),
      (["cities"], "London\nBath\n"),
      (["menu", "--user", "ann & bob"], "Logged in as ann & bob (id 4711).\n2024-05-04"),
      (["photo", "7"], "Photo 7 of album 2: Feather number 7\n"), (["account"], "Signed in as demo.\n"),
      (["watch", "--count", "1"], "1 joke \(JokeCollection.all[0].joke)\n"),
      (["request", "get", "jokes/1"], #"{"text":"#),
    ]
    for (words, output) in cases {
      let outcome = try await DemoProcess(words).outcome()
      #expect(outcome.status == 0 && outcome.output.hasPrefix(output), "\(words): \(outcome.everything)")
      let json = try await DemoProcess(words + ["--json"]).outcome()
      #expect((try? JSONDecoder().decode(JSONValue.self, from: Data(json.output.utf8))) != nil, "\(words)")
    }
  }

  @Test func pathsInTheHelpLeadToContent() async throws {
    let paths = ["jokes/7", "photos/1", "events?count=4", "files/5M"]
    #expect(HelpText.addresses.hasSuffix(": \(paths.dropLast().joined(separator: ", ")) or \(paths[3])."))
    for path in paths {
      let outcome = try await DemoProcess.run("request", "GET", path)
      #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(path): \(outcome.errorOutput)")
    }
  }

  @Test func eventsContinueAfterABrokenConnection() async throws {
    let outcome = try await DemoProcess.run("watch", "--count", "6")
    expectEqual(outcome.status, 0)
    #expect(outcome.lines.map { $0.prefix(1) } == ["1", "2", "3", "4", "5", "6"])
    #expect(outcome.errorLines == ["The connection broke.", "Reconnecting."])
  }

  @Test func wrongPasswordIsRefusedInTheServersWords() async throws {
    for words in [["signin"], ["signin", "--verbose"], [], ["jokes", "--json"], ["account"], ["cities"], ["menu"]] {
      let outcome = try await DemoProcess(words, environment: ["FEATHER_PASSWORD": "hunter2"]).outcome()
      #expect(outcome.status == 1 && outcome.output == "")
      #expect(outcome.errorOutput.contains("The user or the password is wrong."), "\(outcome.errorOutput)")
      #expect(!outcome.errorOutput.contains("hunter2"))
      // The log has the library's own description.
      let descriptions = outcome.errorOutput.components(separatedBy: "statusCode(401) (judge): POST").count - 1
      expectEqual(descriptions, words.contains("--verbose") ? 1 : 0)
    }
  }

  @Test func helpAndWrongUsageHaveTheirStatus() async throws {
    for words in [["--help"], ["request", "-h"], ["help", "watch"], ["--version"]] {
      let outcome = try await DemoProcess(words).outcome()
      #expect(outcome.status == 0 && outcome.output.contains("FeatherDemo") && outcome.errorOutput == "")
    }
    for words in [["joke"], ["jokes", "--count", "0"], ["request", "GET"]] {
      let outcome = try await DemoProcess(words).outcome()
      #expect(outcome.status == 64 && outcome.output == "")
      #expect(outcome.errorLines.count == 2 && outcome.errorLines.last?.contains("--help") == true)
    }
  }

  @Test func closedOutputEndsTheDemo() async throws {
    // The second time the system reports the closed pipe as an error, and raises no signal.
    for ignoring in ["", "trap '' PIPE; "] {
      expectEqual(try await DemoProcess.run("jokes", script: ignoring + #""$0" "$@" | :"#).errorOutput, "")
    }
    let outcome = try await DemoProcess.run("jokes", script: #"exec "$0" "$@" >&-"#)
    expectEqual(outcome.status, 1)
    expectEqual(outcome.errorOutput, "FeatherDemo: the results can't be printed.\n")
    expectEqual(try await DemoProcess.run("signin", script: #"exec "$0" "$@" <&-"#).status, 0)
  }

  @Test func serveRespondsToAnotherDemoAndEndsInGoodOrder() async throws {
    let reserved = try ClosedPort()
    let backend = try DemoProcess(["serve", "--verbose", "--port", "\(reserved.number)"])
    let url = try await backend.firstLine()
    expectEqual(url, "http://127.0.0.1:\(reserved.number)")
    let client = try await DemoProcess.run("--base-url", url, "--count", "4")
    #expect(client.status == 0 && client.lines.count == 5)
    backend.interrupt()
    let outcome = try await backend.outcome()
    expectEqual(outcome.status, 0)
    expectEqual(outcome.output, url + "\n")
    #expect(outcome.errorOutput.contains("POST /authenticate 200\nGET /jokes/random?count=4 200\n"))
  }

  @Test func portInUseIsExplained() async throws {
    let server = try LoopbackServer()
    let outcome = try await DemoProcess.run("serve", "--port", "\(server.port)")
    #expect(outcome.status == 1 && outcome.output == "")
    #expect(outcome.errorOutput.contains("Is port \(server.port) in use?"))
  }
}
