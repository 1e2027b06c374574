import Foundation
import Testing
import WebServices

@testable import FeatherDemo

@Suite struct TimelineTests {
  /// Makes a timeline from the events of one request, at seconds since the call.
  private func timeline(_ events: [(TimeInterval, Int, RequestEvent.Kind)]) -> Timeline {
    Timeline(Self.events(events))
  }

  static func events(
    id: UInt64 = 7, url: String = "http://host/a?token=hunter2", _ events: [(TimeInterval, Int, RequestEvent.Kind)]
  ) -> [RequestEvent] {
    events.map { time, attempt, kind in
      RequestEvent(
        requestID: id, attempt: attempt, transfer: attempt, time: 1_000 + time, start: 1_000, url: RedactedURL(url),
        kind: kind)
    }
  }

  private static let metrics = TransportMetrics(
    nameLookup: 0.01, connect: 0.03, tls: 0.06, firstByte: 0.1, total: 0.12, httpVersion: "HTTP/2", bytesReceived: 5)

  @Test func eachEventBecomesAPhase() {
    let timeline = timeline([
      (0.1, 0, .described), (0.1, 0, .waiting(.token)), (0.3, 0, .authorized), (0.4, 1, .sent),
      (0.53, 1, .received(status: 200, bytes: 9, metrics: Self.metrics)), (0.6, 1, .decoded),
      (0.7, 1, .delivered(.success)),
    ])
    #expect(timeline.outcome == "success")
    #expect(abs(timeline.total - 0.7) < 0.000_001)
    #expect(timeline.attempts.count == 1)
    let attempt = timeline.attempts.first
    #expect(attempt?.target == "GET http://host/a?token=<redacted>")
    #expect(attempt?.outcome == "200 over HTTP/2, 9 bytes")
    #expect(
      attempt?.phases.map(\.name)
        == ["describing", "token wait", "name look-up", "connect", "TLS", "first byte", "body"])
    let starts = attempt?.phases.map { ($0.start * 100).rounded() } ?? []
    #expect(starts == [0, 10, 40, 41, 43, 46, 50])
    #expect(timeline.ending.map(\.name) == ["decoding", "delivery"])
    #expect(timeline.ending.first.map { ($0.start * 100).rounded() } == 53)
  }

  @Test func eachAttemptIsListedWithItsOutcome() {
    let timeline = timeline([
      (0, 1, .sent), (1, 1, .received(status: 503, bytes: 0, metrics: nil)),
      (1, 1, .retried(after: 0.5, cause: .status(503))), (1, 1, .waiting(.retryDelay)), (1.5, 2, .sent),
      (2, 2, .retried(after: 0, cause: .transport(.connectionLost))), (2, 2, .waiting(.retryDelay)), (2, 3, .sent),
      (3, 3, .received(status: 200, bytes: 1, metrics: nil)), (3, 3, .delivered(.success)),
    ])
    #expect(timeline.attempts.map(\.number) == [1, 2, 3])
    #expect(
      timeline.attempts.map(\.outcome) == [
        "503, 0 bytes, again after 500.0 ms", "no response: connectionLost, again", "200, 1 byte",
      ])
    #expect(timeline.attempts[1].phases.map(\.name) == ["retry wait", "no response"])
    #expect(timeline.attempts[1].phases.map(\.duration) == [0.5, 0.5])
  }

  @Test func redirectIsASeparateTransfer() {
    let timeline = timeline([
      (0, 1, .sent), (1, 1, .received(status: 302, bytes: 0, metrics: nil)),
      (1, 1, .redirected(to: RedactedURL("http://host/b?token=hunter2"))), (1, 1, .sent),
      (2, 1, .received(status: 200, bytes: 0, metrics: nil)), (2, 1, .delivered(.success)),
    ])
    #expect(timeline.attempts.count == 2)
    #expect(timeline.attempts.first?.outcome == "302, 0 bytes, redirects to http://host/b?token=<redacted>")
  }

  @Test func attemptWithoutTransferIsNotSent() {
    let open = timeline([
      (0, 1, .waiting(.breaker)), (0, 1, .delivered(.failure(WebServiceError(.circuitOpen)))),
    ])
    #expect(open.attempts.map(\.outcome) == ["not sent"])
    #expect(open.outcome == "failure, circuitOpen")
    #expect(timeline([(1, 0, .delivered(.cancelled))]).outcome == "cancelled")
    let lost = timeline([(0, 1, .sent), (1, 1, .delivered(.failure(WebServiceError(.sessionFailure))))])
    #expect(lost.attempts.map(\.outcome) == ["no response"])
  }

  @Test func brokenResponseShowsReceivedPart() throws {
    let url = try #require(URL(string: "http://host/a"))
    let metrics = TransportMetrics(total: 0.9, httpVersion: "HTTP/1.1", bytesReceived: 2_000_000)
    let response = WebServiceResponse(statusCode: 200, url: url, metrics: metrics)
    let error = WebServiceError(
      .sessionFailure, response: response,
      underlying: TransportError(.truncated, message: "", mayHaveReachedServer: true, response: response))
    let broken = timeline([(0, 1, .sent), (1, 1, .delivered(.failure(error)))])
    #expect(broken.attempts.map(\.outcome) == ["200 over HTTP/1.1, 2.0 MB, then truncated"])
    #expect(broken.attempts.first?.phases.last?.name == "broken off")
    let retried = timeline([
      (0, 1, .sent), (1, 1, .retried(after: 0, cause: .transport(.truncated))), (2, 2, .sent),
      (3, 2, .delivered(.success)),
    ])
    #expect(retried.attempts.first?.outcome == "broken off: truncated, again")
  }

  @Test func retryWaitBeforeDescriptionIsAPhase() {
    let resumed = timeline([
      (0, 0, .waiting(.retryDelay)), (1, 0, .described), (1.5, 0, .authorized), (2, 1, .sent),
      (3, 1, .received(status: 206, bytes: 1, metrics: nil)), (3, 1, .delivered(.success)),
    ])
    #expect(resumed.attempts.first?.phases.map(\.name) == ["retry wait", "waiting", "response"])
    #expect(resumed.attempts.first?.phases.first?.duration == 1)
  }

  @Test func nonsensicalTimesGiveFiniteDurations() {
    let odd = TransportMetrics(
      nameLookup: .nan, connect: -1, tls: .infinity, firstByte: 1e300, total: -.infinity, bytesReceived: .min)
    let timeline = timeline([
      (5, 1, .sent), (3, 1, .received(status: 200, bytes: .min, metrics: odd)), (.nan, 1, .decoded),
      (-1, 1, .delivered(.success)),
    ])
    #expect(timeline.attempts.flatMap(\.phases).allSatisfy { $0.duration >= 0 && $0.duration.isFinite })
    #expect(TimelineDrawing.lines(of: timeline, width: 80).allSatisfy { $0.count <= 80 })
    #expect(Timeline([]).attempts.isEmpty)
  }
}
