import Foundation
import WebServicesTesting

/// The events of the demo: a count that goes on where a reader left it.
enum EventFeed {
  /// After so many events the connection breaks, so that resuming can be seen.
  static let eventsPerConnection = 4
  /// Seconds between two events.
  static let pause: TimeInterval = 0.1
  /// What readers are told to wait before they come back, in milliseconds.
  static let retryMilliseconds = 250

  /// The numbers of the events that one connection gives.
  static func numbers(after last: Int, count: Int) -> ClosedRange<Int>? {
    let first = max(0, min(last, count)) + 1
    guard first <= count else { return nil }
    return first...min(count, first + eventsPerConnection - 1)
  }

  /// One event as it is sent.
  static func text(_ number: Int) -> String {
    let item = ItemCollection.all[(number - 1) % ItemCollection.all.count]
    return "id: \(number)\nevent: status\ndata: \(item.id) \(item.name)\n\n"
  }
}

extension DemoBackend {
  /// So many events in all as `count` says, 10 unless it does. When a reader has them all, it gets 204, which tells it
  /// not to come back (WHATWG HTML, section 9.2).
  static func events(_ request: LoopbackServer.Request) -> Reply {
    guard let count = Int(request.query("count") ?? "10"), Arguments.countRange.contains(count) else {
      let range = Arguments.countRange
      return refusal(400, "count must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
    guard let numbers = EventFeed.numbers(after: last, count: count) else {
      return Reply(status: 204, answer: .status(204))
    }
    let events = numbers.flatMap { number -> [LoopbackServer.Step] in
      [.delay(EventFeed.pause), .chunk(Data(EventFeed.text(number).utf8))]
    }
    let head = LoopbackServer.Step.head(
      status: 200,
      headers: [
        "Content-Type": "text/event-stream", "Cache-Control": "no-store", "Transfer-Encoding": "chunked",
      ])
    let retry = LoopbackServer.Step.chunk(Data("retry: \(EventFeed.retryMilliseconds)\n\n".utf8))
    // The last connection ends as it should; the ones before break.
    let end: [LoopbackServer.Step] = numbers.upperBound == count ? [.lastChunk()] : [.close]
    return Reply(status: 200, answer: LoopbackServer.Answer([head, retry] + events + end))
  }
}
