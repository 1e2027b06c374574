/// What one contender's process found out about one workload.
package struct Sample: Codable, Hashable, Sendable {
  package var contender: String
  package var workload: String
  package var round = 0
  package var requests: Int
  package var failures: Int
  package var firstFailure: String?
  package var seconds: Double
  /// User and system time of the client's process.
  package var processorSeconds: Double
  /// Voluntary and involuntary ones.
  package var contextSwitches: Int
  /// Resident bytes before the first request that counts.
  package var memoryBefore: Int
  /// The most resident bytes while requests were under way.
  package var memoryPeak: Int
  /// Resident bytes after the last request.
  package var memoryAfter: Int
  /// Resident bytes while all requests wait, where they do.
  package var memoryWhileWaiting: Int?
  /// The seconds within which 99 of 100 requests ended.
  package var slowestPercentile: Double?
  /// Connections that the server saw, where it counts them.
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
  /// What each outstanding request holds.
  package var bytesWhileWaiting: Double { perRequest(Double((memoryWhileWaiting ?? memoryPeak) - memoryBefore)) }
  package var growth: Int { memoryAfter - memoryBefore }

  private func perRequest(_ total: Double) -> Double { requests > 0 ? total / Double(requests) : 0 }
}
