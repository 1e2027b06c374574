import WebServicesTesting

/// The state of the route `/flaky`, which fails while an outage lasts.
struct Outage: Codable, Equatable, Sendable {
  /// The number of requests that still fail; `nil` lets all requests fail until the outage ends.
  var failuresLeft: Int? = 0
  /// The number of requests received.
  var received = 0
  /// The number of requests that failed.
  var failed = 0

  /// Counts a request and returns whether it fails.
  mutating func countRequest() -> Bool {
    received += 1
    let fails = failuresLeft.map { $0 > 0 } ?? true
    if fails {
      failed += 1
      failuresLeft = failuresLeft.map { $0 - 1 }
    }
    return fails
  }
}

extension DemoBackend {
  /// Starts an outage: `/flaky` fails as many times as `requests` says, or until `endOutage()`.
  func beginOutage(_ request: LoopbackServer.Request) -> Reply {
    // The outer optional is `nil` if the query item is missing. The inner optional is `nil` if the item isn't a number.
    let requests = request.query("requests").map { Int($0) }
    guard requests != .some(nil), requests.flatMap({ $0 }).map({ $0 >= 0 }) ?? true else {
      return Self.refusal(400, "requests must be a number that isn't negative.")
    }
    return Self.success(
      outage.withLock { outage in
        outage.failuresLeft = requests.flatMap { $0 }
        return outage
      })
  }

  func endOutage() -> Reply {
    Self.success(
      outage.withLock { outage in
        outage.failuresLeft = 0
        return outage
      })
  }

  func flaky() -> Reply {
    let fails = outage.withLock { $0.countRequest() }
    return fails ? Self.refusal(503, "The service is out of order, on command.") : Self.success(["state": "ok"])
  }
}
