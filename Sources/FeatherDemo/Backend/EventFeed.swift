import Foundation
import WebServicesDoubles

/// A stream of numbered server-sent events. A client that reconnects continues after its last event.
enum EventFeed {
  /// The number of events after which the server breaks the connection, so that the demo shows a resumption.
  static let eventsPerConnection = 4
  /// The delay between two events, in seconds.
  static let pause: TimeInterval = 0.1
  /// The reconnection delay that the server sends in `retry`, in milliseconds.
  static let retryMilliseconds = 250

  /// The numbers of the events that one connection sends.
  static func numbers(after last: Int, count: Int) -> ClosedRange<Int>? {
    let first = max(0, min(last, count)) + 1
    guard first <= count else { return nil }
    return first...min(count, first + eventsPerConnection - 1)
  }

  /// One event in the format of the stream.
  static func text(_ number: Int) -> String {
    let joke = JokeCollection.all[(number - 1) % JokeCollection.all.count]
    return "id: \(number)\nevent: joke\ndata: \(joke.joke)\n\n"
  }
}

extension DemoBackend {
  /// Streams `count` events in all, 10 by default. A client that has all of them gets status 204, which ends its
  /// reconnections (WHATWG HTML, section 9.2).
  static func events(_ request: LoopbackServer.Request) -> Response {
    guard let count = count(of: request) else { return countRefusal }
    let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
    guard let numbers = EventFeed.numbers(after: last, count: count) else {
      return .status(204)
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
    // The last connection ends regularly; every connection before it breaks.
    let end: [LoopbackServer.Step] = numbers.upperBound == count ? [.lastChunk()] : [.close]
    return Response([head, retry] + events + end)
  }
}
