/// The measurement of one workload for one contender.
package struct Sample: Codable, Hashable, Sendable {
  package var contender: String
  package var workload: String
  package var round = 0
  package var requests: Int
  package var failures: Int
  package var firstFailure: String?
  package var seconds: Double
  /// The user and system time of the client's process.
  package var processorSeconds: Double
  /// The number of voluntary and involuntary context switches.
  package var contextSwitches: Int
  /// The resident bytes before the first counted request.
  package var memoryBefore: Int
  /// The peak of the resident bytes during the requests.
  package var memoryPeak: Int
  /// The resident bytes after the last request.
  package var memoryAfter: Int
  /// The resident bytes while all requests wait; `nil` for other workloads.
  package var memoryWhileWaiting: Int?
  /// The time in seconds within which 99 of 100 requests ended.
  package var slowestPercentile: Double?
  /// The share of all processors' time that wasn't idle, from 0 to 1; `nil` if the system doesn't tell.
  package var machineInUse: Double?
  /// The number of connections; `nil` if the server doesn't count them.
  package var connections: Int?

  package init(
    contender: String, workload: String, requests: Int, failures: Int, firstFailure: String? = nil,
    seconds: Double, processorSeconds: Double, contextSwitches: Int, memoryBefore: Int, memoryPeak: Int,
    memoryAfter: Int
  ) {
    self.contender = contender
    self.workload = workload
    self.requests = requests
    self.failures = failures
    self.firstFailure = firstFailure
    self.seconds = seconds
    self.processorSeconds = processorSeconds
    self.contextSwitches = contextSwitches
    self.memoryBefore = memoryBefore
    self.memoryPeak = memoryPeak
    self.memoryAfter = memoryAfter
  }
}

extension Sample {
  package var requestsPerSecond: Double { seconds > 0 ? Double(requests - failures) / seconds : 0 }
  package var processorMicroseconds: Double { perRequest(processorSeconds * 1e6) }
  package var contextSwitchesPerRequest: Double { perRequest(Double(contextSwitches)) }
  package var peakGrowth: Int { memoryPeak - memoryBefore }
  /// The bytes per waiting request.
  package var bytesWhileWaiting: Double { perRequest(Double((memoryWhileWaiting ?? memoryPeak) - memoryBefore)) }
  package var growth: Int { memoryAfter - memoryBefore }

  private func perRequest(_ total: Double) -> Double { requests > 0 ? total / Double(requests) : 0 }
}
