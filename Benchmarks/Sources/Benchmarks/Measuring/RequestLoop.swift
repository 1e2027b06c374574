/// Sends one request after the other: the next one from the completion of the one before, or in a `while` loop.
enum RequestLoop {
  /// Runs so many loops at once until the quota is used up.
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
        step(start, quota: quota, tally: Tally()) { continuation.resume(returning: $0) }
      }
    case .asynchronous(let perform):
      var tally = Tally()
      while quota.take() {
        tally.count(await problem(with: perform))
      }
      return tally
    }
  }

  private static func step(
    _ start: @escaping @Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void, quota: Quota,
    tally: Tally,
    finished: @escaping @Sendable (Tally) -> Void
  ) {
    guard quota.take() else { return finished(tally) }
    start { problem in
      step(start, quota: quota, tally: tally.counting(problem), finished: finished)
    }
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
