import BenchmarkReport
import Foundation

/// One measurement of one contender, in its own process. `sample()` runs it as the workload demands.
struct Measuring {
  private let options: MeasureOptions
  private let client: any Client

  init(_ options: MeasureOptions, client: any Client) {
    self.options = options
    self.client = client
  }

  func sample() async throws -> Sample {
    switch options.workload.subject {
    case .speed: try await speed()
    case .growth: try await growth()
    case .outstanding: try await outstanding()
    }
  }

  private func speed() async throws -> Sample {
    let workload = options.workload
    let sending = try client.sending(of: workload.transfer)
    func run(_ seconds: Double) async -> Tally {
      await RequestLoop.run(sending, inFlight: workload.inFlight, quota: Quota(seconds: seconds))
    }
    // The heap keeps the memory of the warm-up, so that memory counts as part of the measurement.
    Memory.resetPeak()
    let memoryBefore = Memory.resident
    _ = await run(options.secondsPerMeasurement / 4)
    return await measure(since: memoryBefore) { await run(options.secondsPerMeasurement) }
  }

  /// Measures growth. The first requests don't count, because they open the connection and fill the memory pools.
  private func growth() async throws -> Sample {
    let sending = try client.sending(of: options.workload.transfer)
    let first = options.requests / 20
    func run(_ requests: Int) async -> Tally {
      await RequestLoop.run(sending, inFlight: options.workload.inFlight, quota: Quota(requests: requests))
    }
    _ = await run(first)
    try await Task.sleep(for: .milliseconds(200))
    Memory.resetPeak()
    return await measure(since: Memory.resident) { await run(options.requests - first) }
  }

  /// Measures many waiting requests. The server holds its responses until all requests wait: those with a connection in
  /// the server, the others in the client.
  private func outstanding() async throws -> Sample {
    let workload = options.workload
    // A warm-up opens the connections and starts the threads before the measurement.
    _ = await RequestLoop.run(
      try client.sending(of: workload.transfer), inFlight: 64, quota: Quota(seconds: 1))
    try await Task.sleep(for: .milliseconds(200))
    let wait = 5.0
    let release = Int64((Date().timeIntervalSince1970 + wait) * 1000)
    let sending = try client.sending(of: .fetch(path: "until/\(release)"))
    let waiting = Task {
      // Shortly before the server responds, when all requests wait.
      try await Task.sleep(for: .seconds(wait - 0.2))
      return Memory.resident
    }
    Memory.resetPeak()
    var sample = await measure(since: Memory.resident) {
      await RequestBurst.run(sending, count: workload.inFlight)
    }
    sample.memoryWhileWaiting = try await waiting.value
    return sample
  }

  private func measure(since memoryBefore: Int, _ work: () async -> Tally) async -> Sample {
    let start = ResourceUsage.now
    let tally = await work()
    let used = ResourceUsage.now - start
    var sample = Sample(
      contender: options.contender, workload: options.workload.identifier, requests: tally.requests,
      failures: tally.failures, firstFailure: tally.firstFailure, seconds: used.seconds,
      processorSeconds: used.processorSeconds, contextSwitches: used.contextSwitches,
      memoryBefore: memoryBefore, memoryPeak: Memory.peak, memoryAfter: Memory.resident)
    sample.machineInUse = used.machine?.shareInUse
    sample.slowestPercentile = tally.latencies.within(share: 0.99)
    return sample
  }
}
