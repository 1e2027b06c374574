import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

extension ProcessTests {
  /// The commands `items`, `watch` and `outage`, with the demo's own backend and with other servers.
  @Suite struct FeatureTests {
    @Test func itemsComePageByPage() async throws {
      let outcome = try await DemoProcess.run("items", "--page-size", "20", "--verbose")
      #expect(outcome.status == 0)
      #expect(outcome.lines.count == ItemCollection.all.count + 1)
      #expect(outcome.lines.first == "100 Continue")
      #expect(outcome.lines.last == "49 items on 3 pages.")
      #expect(outcome.errorLines.filter { $0.hasPrefix("#") }.count == 3)
      #expect(outcome.errorOutput.contains("/items?offset=20&limit=20"))
    }

    @Test func itemsAreAllLoadedBeforeOutput() async throws {
      struct Gathered: Decodable { var items: [Item] }
      let text = try await DemoProcess.run("items", "--all")
      #expect(text.lines.last == "49 items, gathered.")
      let json = try await DemoProcess.run("items", "--all", "--json")
      #expect(try JSONDecoder().decode(Gathered.self, from: Data(json.output.utf8)).items == ItemCollection.all)
      let lines = try await DemoProcess.run("items", "--json")
      #expect(lines.lines.first == #"{"id":100,"name":"Continue"}"# && lines.lines.count == ItemCollection.all.count)
    }

    @Test func repeatedPageStopsThePaging() async throws {
      let server = try LoopbackServer()
      server.route(.get, "/items", .json(#"{"items": [{"id": 1, "name": "a\u001b"}], "total": 9}"#))
      let outcome = try await DemoProcess.run("items", "--base-url", server.baseURL.absoluteString)
      #expect(outcome.status == 1)
      #expect(outcome.output == "1 a\u{FFFD}\n")
      #expect(outcome.errorOutput.hasPrefix("FeatherDemo: fetching items failed. The server sent the same page twice"))
    }

    @Test func aServerWithoutItemsOrEventsIsExplained() async throws {
      let server = try LoopbackServer()
      for command in ["items", "watch", "outage"] {
        let outcome = try await DemoProcess.run(command, "--base-url", server.baseURL.absoluteString)
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("doesn't exist"))
        #expect(outcome.errorLines.last?.hasPrefix("Is \(server.baseURL.absoluteString) the right address?") == true)
      }
    }

    @Test func eventsContinueAfterABrokenConnection() async throws {
      let outcome = try await DemoProcess.run("watch", "--count", "6")
      #expect(outcome.status == 0)
      #expect(outcome.lines.map { $0.prefix(1) } == ["1", "2", "3", "4", "5", "6"])
      #expect(outcome.errorLines == ["The connection broke.", "Reconnecting."])
      let json = try await DemoProcess.run("watch", "--count", "1", "--json")
      #expect(json.output == #"{"data":"100 Continue","event":"status","id":"1"}"# + "\n")
    }

    @Test func status204EndsTheEventStream() async throws {
      let server = try LoopbackServer()
      let events: HTTPHeaders = ["Content-Type": "text/event-stream"]
      server.script(.get, "/events", [.text("retry: 1\nid: a\ndata: b\n\n", headers: events), .status(204)])
      let outcome = try await DemoProcess.run("watch", "--base-url", server.baseURL.absoluteString)
      #expect(outcome.status == 0)
      #expect(outcome.output == "a message b\nThe server has no more events.\n")
      #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "a"])
    }

    @Test func anOutageIsShownFromBeginningToEnd() async throws {
      let outcome = try await DemoProcess.run("outage")
      #expect(outcome.status == 0)
      #expect(outcome.lines.filter { $0.first?.isNumber == true }.map { $0.prefix(2) } == ["1.", "2.", "3.", "4."])
      #expect(outcome.output.contains("attempt 2: status 503, next attempt after "))
      #expect(outcome.output.contains("attempt 3: success, "))
      #expect(outcome.output.contains("not sent: the circuit is open for another "))
      #expect(outcome.output.contains("the next: success, the circuit is closed"))
      #expect(outcome.lines.last?.hasPrefix("In all: ") == true)
      #expect(outcome.errorOutput == "")
    }
  }
}
