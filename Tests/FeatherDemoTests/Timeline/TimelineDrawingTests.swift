import Foundation
import Testing
import WebServices

@testable import FeatherDemo

@Suite struct TimelineDrawingTests {
  private func lines(_ events: [(TimeInterval, Int, RequestEvent.Kind)], width: Int = 60) -> [String] {
    TimelineDrawing.lines(of: Timeline(TimelineTests.events(events)), width: width)
  }

  @Test func attemptsAreDrawnOnOneScale() {
    let lines = lines([
      (0.25, 1, .sent), (0.5, 1, .retried(after: 0.25, cause: .status(503))), (0.75, 2, .sent),
      (1, 2, .received(status: 200, bytes: 9, metrics: nil)), (1, 2, .delivered(.success)),
    ])
    #expect(
      lines == [
        "#7 success, 1000.0 ms: GET http://host/a?token=<redacted>",
        "  attempt 1: no response: status 503, again after 250.0 ms",
        "    waiting        250.0 ms |=======                       |",
        "    no response    250.0 ms |       ========               |",
        "  attempt 2: 200, 9 bytes",
        "    waiting        250.0 ms |               =======        |",
        "    response       250.0 ms |                      ========|",
      ])
  }

  @Test func longLinesWrapBetweenWords() {
    #expect(
      lines([(0, 1, .sent), (1, 1, .delivered(.success))], width: 40).prefix(2) == [
        "#7 success, 1000.0 ms: GET", "      http://host/a?token=<redacted>",
      ])
    #expect(
      Wording.wrapped("  a http://host/path b c", to: 7, indent: "    ") == ["  a", "    http://host/path", "    b c"])
    #expect(Wording.wrapped("", to: 5) == [""])
  }

  @Test func urlIsNotCutWithoutATerminal() {
    let events = TimelineTests.events(
      url: "http://host/" + String(repeating: "a", count: 300), [(0, 1, .sent), (1, 1, .delivered(.success))])
    let lines = TimelineDrawing.lines(of: Timeline(events), width: nil)
    #expect(lines.first?.hasSuffix("aaa") == true)
    #expect(lines.first?.count ?? 0 > 300)
    #expect(lines.dropFirst().allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: [-5, 0, 40, 57, 80, 300])
  func noLineIsWiderThanTheTerminal(_ width: Int) {
    let events = (1...60).flatMap { attempt -> [(TimeInterval, Int, RequestEvent.Kind)] in
      let time = Double(attempt)
      return [(time, attempt, .sent), (time + 0.5, attempt, .retried(after: 0.5, cause: .unauthorized))]
    }
    let lines = lines(events + [(70, 60, .delivered(.cancelled))], width: width)
    #expect(lines.allSatisfy { $0.count <= max(40, width) })
    #expect(lines.contains("  and 10 more"))
  }

  @Test func phasesWithoutDurationAreOmitted() {
    let lines = lines([(0, 1, .sent), (0.000_01, 1, .decoded), (0.000_02, 1, .delivered(.success))])
    #expect(!lines.contains { $0.contains("|") })
  }

  @Test func noSecretIsDrawn() {
    let error = WebServiceError(.statusCode(401), url: "http://host/a?token=hunter2", message: "token=hunter2")
    let lines = lines([(0, 1, .sent), (1, 1, .delivered(.failure(error)))], width: 200)
    #expect(!lines.joined().contains("hunter2"))
    #expect(lines.joined().contains("<redacted>"))
  }

  @Test func aMonitorDrawsEachRequestWhenItHasEnded() {
    let drawn = Locked<[[UInt64]]>([])
    let monitor = TimelineMonitor { events in drawn.withLock { $0.append(events.map(\.requestID)) } }
    let first = TimelineTests.events(id: 1, [(0, 1, .sent), (2, 1, .delivered(.success))])
    let second = TimelineTests.events(id: 2, [(1, 1, .sent), (3, 1, .delivered(.cancelled))])
    for event in [first[0], second[0], first[1], second[1]] { monitor.record(event) }
    #expect(drawn.withLock { $0 } == [[1, 1], [2, 2]])
  }
}
