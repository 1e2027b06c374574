import Dispatch

/// Counts requests, failures and latencies.
struct Tally: Sendable {
  private(set) var requests = 0
  private(set) var failures = 0
  private(set) var firstFailure: String?
  private(set) var latencies = Latencies()

  /// - Parameter start: the start of the request, as the system's uptime in nanoseconds.
  mutating func count(_ problem: (any Error)?, since start: UInt64? = nil) {
    requests += 1
    if let start { latencies.add(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9) }
    guard let problem else { return }
    failures += 1
    if firstFailure == nil { firstFailure = "\(problem)" }
  }

  mutating func add(_ other: Tally) {
    requests += other.requests
    failures += other.failures
    firstFailure = firstFailure ?? other.firstFailure
    latencies.add(other.latencies)
  }

}
