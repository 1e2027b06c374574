import WebServicesTesting

/// Whether the route that fails on command fails, and what it has seen.
struct Outage: Codable, Equatable, Sendable {
  /// How many more requests fail; `nil` means all until it is told otherwise.
  var failuresLeft: Int? = 0
  /// How many requests came.
  var received = 0
  /// How many of them failed.
  var failed = 0

  /// Whether a request that comes now fails.
  mutating func takeRequest() -> Bool {
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
  /// Lets `/flaky` fail: so many requests as `requests` says, or all until the outage is ended.
  func beginOutage(_ request: LoopbackServer.Request) -> Reply {
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
    let fails = outage.withLock { $0.takeRequest() }
    return fails ? Self.refusal(503, "The service is out of order, on command.") : Self.success(["state": "ok"])
  }
}
