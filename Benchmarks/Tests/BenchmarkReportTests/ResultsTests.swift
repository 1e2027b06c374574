import BenchmarkReport
import Foundation
import Testing

@Suite struct ResultsTests {
  private let workload = Workload.all[0]

  @Test func ratiosCompareWithinARound() {
    let results = Results([
      .of("fast", round: 0, requestsPerSecond: 2000), .of("slow", round: 0, requestsPerSecond: 1000),
      .of("fast", round: 1, requestsPerSecond: 300), .of("slow", round: 1, requestsPerSecond: 100),
      .of("fast", round: 2, requestsPerSecond: 9000),
    ])
    #expect(results.ratio(of: \.requestsPerSecond, "fast", to: "slow", on: workload) == 2.5)
    #expect(results.ratio(of: \.requestsPerSecond, "fast", to: "other", on: workload) == nil)
    #expect(results.spread(of: \.requestsPerSecond, "fast", on: workload)?.median == 2000)
    #expect(results.spread(of: \.requestsPerSecond, "other", on: workload) == nil)
  }

  @Test func failedRequestsDoNotCount() {
    let sample = Sample.of("fast", requestsPerSecond: 900, failures: 100)
    #expect(sample.requestsPerSecond == 900)
    #expect(sample.processorMicroseconds == 500)
    #expect(sample.contextSwitchesPerRequest == 3)
    #expect(sample.peakGrowth == 2_500_000)
    #expect(sample.growth == 1_000_000)
  }

  @Test func nothingIsDividedByNoRequests() {
    var sample = Sample.of("fast", requestsPerSecond: 0)
    sample.seconds = 0
    #expect(sample.requestsPerSecond == 0)
    #expect(sample.processorMicroseconds == 0)
  }

  @Test func sampleRoundTripsThroughTheChild() throws {
    var sample = Sample.of("fast", requestsPerSecond: 900, failures: 1)
    sample.connections = 4
    sample.memoryWhileWaiting = 5
    sample.machineInUse = 0.75
    let copy = try JSONDecoder().decode(Sample.self, from: JSONEncoder().encode(sample))
    #expect(copy == sample)
  }
}
