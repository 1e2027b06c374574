import BenchmarkReport

extension Sample {
  /// A sample of the first workload with this speed.
  static func of(_ contender: String, round: Int = 0, requestsPerSecond: Int, failures: Int = 0) -> Sample {
    var sample = Sample(
      contender: contender, workload: "json-976-1", requests: requestsPerSecond + failures, failures: failures,
      firstFailure: failures > 0 ? "refused" : nil, seconds: 1, processorSeconds: 0.5, contextSwitches: 3000,
      memoryBefore: 10_000_000, memoryPeak: 12_500_000, memoryAfter: 11_000_000)
    sample.round = round
    return sample
  }
}
