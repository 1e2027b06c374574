import Foundation
import Testing
import WebServicesTesting

@testable import WebServices

@Suite("Server-sent events that go on", .timeLimit(.minutes(1)))
struct ServerSentEventStreamTests {
  private let bench = Bench()
  private let path = "/cities"

  private func script(_ text: String, status: Int = 200) {
    let headers: HTTPHeaders = ["Content-Type": "text/event-stream"]
    bench.session.script(.get, path, .response(status: status, headers: headers, body: Data(text.utf8)))
  }

  private func events(_ policy: ReconnectionPolicy = .standard) -> ServerSentEventStream {
    bench.service.serverSentEvents(
      TestRequest(), reconnecting: policy, clock: bench.clock, random: FixedRandom(number: 1))
  }

  /// Turns the clock whenever a wait of so many seconds is there.
  private func turnClock(by waits: [TimeInterval]) -> Task<Void, Never> {
    let clock = bench.clock
    return Task {
      for wait in waits {
        await clock.waitForTimer(after: wait)
        clock.advance(by: wait)
      }
    }
  }

  @Test("A new connection asks for what comes behind the last event, after the time that the server named")
  func reconnection() async throws {
    script("retry: 1500\nid: 7\ndata: a\n\ndata: b\n\nid: 9\n\ndata: cut off")
    script("data: c\n\n")
    script("", status: 204)
    let turns = turnClock(by: [1.5, 1.5])
    var received: [ServerSentEvent] = []
    for try await event in events() { received.append(event) }
    await turns.value
    #expect(received.map(\.data) == ["a", "b", "c"])
    #expect(received.map(\.id) == ["7", "7", "9"])
    let asked = bench.session.requests.map { $0.value(forHTTPHeaderField: "Last-Event-ID") }
    #expect(asked == [nil, "9", "9"])
    #expect(bench.session.requests.allSatisfy { $0.value(forHTTPHeaderField: "Accept") == "text/event-stream" })
    bench.expectNothingLeft()
  }

  @Test("Connections that fail are made anew after longer and longer waits, until the policy gives up")
  func failures() async throws {
    bench.session.script(.get, path, .failure(URLError(.networkConnectionLost)))
    let turns = turnClock(by: [3, 6, 10])
    await #expect(throws: WebServiceError.self) {
      for try await _ in events(ReconnectionPolicy(maximumAttempts: 3, longestDelay: 10)) {}
    }
    await turns.value
    #expect(bench.session.requests.count == 4)
    bench.expectNothingLeft()
  }

  @Test("An answer that isn't good is final", arguments: [401, 404, 500])
  func refusal(status: Int) async throws {
    script("", status: status)
    var iterator = events().makeAsyncIterator()
    await #expect { try await iterator.next() } throws: { ($0 as? WebServiceError)?.statusCode == status }
    #expect(try await iterator.next() == nil)
    #expect(bench.session.requests.count == 1)
    bench.expectNothingLeft()
  }

  @Test("Without reconnecting the sequence ends with its connection")
  func once() async throws {
    script("data: a\n\n")
    var received: [String] = []
    for try await event in events(.none) { received.append(event.data) }
    #expect(received == ["a"])
    #expect(bench.session.requests.count == 1)
    bench.expectNothingLeft()
  }

  @Test("Cancelling the Swift task ends the wait for a new connection")
  func cancel() async throws {
    script("data: a\n\n")
    let events = events()
    let task = Task {
      for try await _ in events {}
    }
    await bench.clock.waitForTimer(after: 3)
    task.cancel()
    let result = await task.result
    #expect { try result.get() } throws: { ($0 as? WebServiceError)?.kind == .cancelled }
    bench.expectNothingLeft()
  }
}
