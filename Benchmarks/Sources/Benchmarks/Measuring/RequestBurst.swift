import Synchronization

/// Sends many requests at once, and counts the successes and failures.
enum RequestBurst {
  /// - Returns: the tally, once all requests have ended.
  static func run(_ sending: Sending, count: Int) async -> Tally {
    switch sending {
    case .completion(let start):
      return await withCheckedContinuation { continuation in
        let burst = Burst(count: count) { continuation.resume(returning: $0) }
        for _ in 0..<count {
          start { burst.end($0) }
        }
      }
    case .asynchronous(let perform):
      return await withTaskGroup(of: (any Error)?.self) { group in
        for _ in 0..<count {
          group.addTask { await RequestLoop.problem(with: perform) }
        }
        return await group.reduce(into: Tally()) { $0.count($1) }
      }
    }
  }

  /// Counts requests as they end, on any thread. Calls `finished` with the tally after the last request.
  private final class Burst: Sendable {
    private let tally = Mutex(Tally())
    private let count: Int
    private let finished: @Sendable (Tally) -> Void

    init(count: Int, finished: @escaping @Sendable (Tally) -> Void) {
      self.count = count
      self.finished = finished
    }

    func end(_ problem: (any Error)?) {
      let tally = tally.withLock { tally in
        tally.count(problem)
        return tally
      }
      if tally.requests == count { finished(tally) }
    }
  }
}
