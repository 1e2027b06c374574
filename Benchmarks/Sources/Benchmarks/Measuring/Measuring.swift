import Foundation

/// One measurement of one contender, in its own process. `run` runs it as the workload demands.
struct Measuring {
  let workload: Workload
  let seconds: Double
  let requests: Int
  private let contender: Contender
  private let client: any Client
  private let round: Int

  /// Measures in the child process, and prints the figures.
  static func run(_ options: inout Options) async throws {
    let measuring = try Measuring(&options)
    Watchdog.start(for: measuring)
    try await measuring.measure()
    // The process exits without shutting the session down, because the shutdown isn't part of the measurement.
    withExtendedLifetime(measuring.client) { exit(0) }
  }

  private init(_ options: inout Options) throws {
    guard let contender = Contender.named(try options.required("contender")),
      let workload = Workload.named(try options.required("workload")),
      let url = URL(string: try options.required("url"))
    else { throw UsageError("there is no such contender or workload") }
    (self.contender, self.workload) = (contender, workload)
    seconds = try options.number("seconds", 2.0, atLeast: 0.1)
    requests = try options.number("requests", 200_000, atLeast: 100)
    round = try options.number("round", 0, atLeast: 0)
    client = try contender.open(ServerAddress(url: url, certificate: options.text("certificate")))
    try options.end()
  }

  private func measure() async throws {
    switch workload.subject {
    case .speed: try await speed()
    case .growth: try await growth()
    case .outstanding: try await outstanding()
    }
  }

  private func speed() async throws {
    let sending = try client.sending(of: workload.transfer)
    func run(_ seconds: Double) async -> Tally {
      await RequestLoop.run(sending, inFlight: workload.inFlight, quota: Quota(seconds: seconds))
    }
    // The heap keeps the memory of the warm-up, so that memory counts as part of the measurement.
    Memory.resetPeak()
    let memoryBefore = Memory.resident
    _ = await run(seconds / 4)
    let sample = await measure(since: memoryBefore) { await run(seconds) }
    let rate = Double(sample.tally.requests - sample.tally.failures) / sample.used.seconds
    write(workload.megabytes == nil ? "requests/s" : "MB/s", rate * (workload.megabytes ?? 1))
    write("CPU µs/request", sample.perRequest(sample.used.processorSeconds * 1e6))
    write("machine in use, %", sample.used.machine?.shareInUse.map { $0 * 100 })
    write("switches/request", sample.perRequest(Double(sample.used.contextSwitches)))
    write("99% within, ms", sample.tally.latencies.within(share: 0.99).map { $0 * 1000 })
    write("peak memory growth, MB", Double(sample.peak - sample.before) / 1e6)
  }

  /// Measures growth. The first requests don't count, because they open the connection and fill the memory pools.
  private func growth() async throws {
    let sending = try client.sending(of: workload.transfer)
    let first = requests / 20
    func run(_ requests: Int) async -> Tally {
      await RequestLoop.run(sending, inFlight: workload.inFlight, quota: Quota(requests: requests))
    }
    _ = await run(first)
    try await Task.sleep(for: .milliseconds(200))
    Memory.resetPeak()
    let sample = await measure(since: Memory.resident) { await run(requests - first) }
    write("growth, MB", Double(sample.after - sample.before) / 1e6)
    write("bytes/request", sample.perRequest(Double(sample.after - sample.before)))
    writeCounts(of: sample)
  }

  /// Measures many waiting requests. The server holds its responses until all requests wait: those with a connection in
  /// the server, the others in the client.
  private func outstanding() async throws {
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
    let sample = await measure(since: Memory.resident) {
      await RequestBurst.run(sending, count: workload.inFlight)
    }
    write("bytes each while they wait", sample.perRequest(Double(try await waiting.value - sample.before)))
    write("CPU µs/request", sample.perRequest(sample.used.processorSeconds * 1e6))
    write("MB at most", Double(sample.peak) / 1e6)
    writeCounts(of: sample)
  }

  private func writeCounts(of sample: Sample) {
    write("requests", Double(sample.tally.requests))
    write("failures", Double(sample.tally.failures))
    write("MB before", Double(sample.before) / 1e6)
    write("MB after", Double(sample.after) / 1e6)
  }

  private func write(_ figure: String, _ value: Double?) {
    CSV.write(workload.title, contender.title, figure, round: round, value)
  }

  /// The resources that the requests of a measurement used.
  private struct Sample {
    let tally: Tally
    let used: ResourceUsage
    /// The resident bytes before the first counted request, their peak, and those after the last request.
    let before: Int
    let peak: Int
    let after: Int

    func perRequest(_ total: Double) -> Double { total / Double(max(1, tally.requests)) }
  }

  private func measure(since memoryBefore: Int, _ work: () async -> Tally) async -> Sample {
    let start = ResourceUsage.now
    let tally = await work()
    if tally.failures > 0 {
      CSV.note(
        "Problem: \(contender.identifier) on \(workload.identifier), round \(round + 1): \(tally.failures) of "
          + "\(tally.requests) requests failed, the first: \(tally.firstFailure ?? "")")
    }
    return Sample(
      tally: tally, used: ResourceUsage.now - start, before: memoryBefore, peak: Memory.peak, after: Memory.resident)
  }
}
