import Foundation
import Testing
import WebServicesTesting

@testable import FeatherDemo

extension ProcessTests {
  @Suite struct ServeTests {
    @Test func serveRespondsToAnotherDemoUntilInterrupted() async throws {
      let backend = try DemoProcess(["serve", "--verbose"])
      let url = try await backend.firstLine()
      #expect(url.hasPrefix("http://127.0.0.1:"))
      let client = try await DemoProcess.run("--base-url", url, "--count", "4")
      #expect(client.status == 0)
      #expect(client.lines.count == 5)
      backend.interrupt()
      let outcome = try await backend.outcome()
      #expect(outcome.status == 130)
      #expect(outcome.output == url + "\n")
      #expect(outcome.errorOutput.contains("POST /authenticate 200\nGET /jokes/random?count=4 200\n"))
      #expect(try await DemoProcess.run("signin", "--base-url", url).status == 1)
    }

    @Test func serveListensOnThePortOption() async throws {
      // The port stays reserved until the backend listens on it: two sockets can bind it while neither listens.
      let reserved = try ClosedPort()
      let port = reserved.number
      let backend = try DemoProcess(["serve", "--json", "--port", "\(port)"])
      #expect(try await backend.firstLine() == #"{"baseURL":"http://127.0.0.1:\#(port)"}"#)
      backend.interrupt()
      #expect(try await backend.outcome().status == 130)
    }

    @Test func aPortInUseIsExplained() async throws {
      let server = try LoopbackServer()
      let outcome = try await DemoProcess.run("serve", "--port", "\(server.port)")
      #expect(outcome.status == 1)
      #expect(outcome.output == "")
      #expect(outcome.errorLines.count == 2)
      #expect(outcome.errorOutput.contains("Is port \(server.port) in use?"))
    }
  }
}
