import Dispatch
import Synchronization

/// Sends requests one after another, either from the completion of the previous request or in a `while` loop.
enum RequestLoop {
  /// Runs this many loops at the same time until the quota is used up.
  static func run(_ sending: Sending, inFlight: Int, quota: Quota) async -> Tally {
    await withTaskGroup(of: Tally.self) { group in
      for _ in 0..<inFlight {
        group.addTask { await loop(sending, quota: quota) }
      }
      return await group.reduce(into: Tally()) { $0.add($1) }
    }
  }

  private static func loop(_ sending: Sending, quota: Quota) async -> Tally {
    switch sending {
    case .completion(let start):
      return await withCheckedContinuation { continuation in
        step(start, quota: quota, tally: SharedTally()) { continuation.resume(returning: $0) }
      }
    case .asynchronous(let perform):
      var tally = Tally()
      while quota.reserveRequest() {
        let start = DispatchTime.now().uptimeNanoseconds
        tally.count(await problem(with: perform), since: start)
      }
      return tally
    }
  }

  private static func step(
    _ start: @escaping @Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void, quota: Quota,
    tally: SharedTally,
    finished: @escaping @Sendable (Tally) -> Void
  ) {
    guard quota.reserveRequest() else { return finished(tally.value.withLock { $0 }) }
    let time = DispatchTime.now().uptimeNanoseconds
    start { problem in
      tally.value.withLock { $0.count(problem, since: time) }
      step(start, quota: quota, tally: tally, finished: finished)
    }
  }

  /// The tally of one loop. Its completions run one after another, on any thread.
  private final class SharedTally: Sendable {
    let value = Mutex(Tally())
  }

  static func problem(with perform: @Sendable () async throws -> Void) async -> (any Error)? {
    do {
      try await perform()
      return nil
    } catch {
      return error
    }
  }
}
