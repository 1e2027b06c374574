/// What came of some requests.
struct Tally: Sendable {
  private(set) var requests = 0
  private(set) var failures = 0
  private(set) var firstFailure: String?

  mutating func count(_ problem: (any Error)?) {
    requests += 1
    guard let problem else { return }
    failures += 1
    if firstFailure == nil { firstFailure = "\(problem)" }
  }

  mutating func add(_ other: Tally) {
    requests += other.requests
    failures += other.failures
    firstFailure = firstFailure ?? other.firstFailure
  }

  func counting(_ problem: (any Error)?) -> Tally {
    var tally = self
    tally.count(problem)
    return tally
  }
}
