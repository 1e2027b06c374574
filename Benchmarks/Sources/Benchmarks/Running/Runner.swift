import BenchmarkReport
import Foundation

/// Runs every measurement in its own process, one after another, and writes the report.
struct Runner {
  private let options: RunOptions

  init(_ options: RunOptions) {
    self.options = options
  }

  func run() async throws {
    // Fails at once if the results can't be written, instead of after minutes.
    let output = try Output(directory: options.output, name: options.name)
    Interruption.handle()
    let servers = try await Servers(options.server)
    let contenders = Contender.all.map(\.name).filter { options.contenders.contains($0.identifier) }
    let selection = Selection(workloads: options.workloads, contenders: contenders, hasTLS: servers.hasTLS)
    selection.omissions.forEach(StandardError.write)
    let (samples, problems) = measureAll(
      Schedule(workloads: selection.workloads, contenders: contenders, rounds: options.rounds), servers)
    let report = Report(
      results: Results(samples), workloads: selection.workloads, contenders: contenders, bases: Contender.bases,
      circumstances: Circumstances.lines(for: options, servers: servers) + selection.omissions, problems: problems)
    servers.stop()
    try output.write(report, samples: samples)
  }

  private func measureAll(_ schedule: Schedule, _ servers: Servers) -> ([Sample], problems: [String]) {
    var samples: [Sample] = []
    var problems: [String] = []
    for (index, entry) in schedule.entries.enumerated() {
      let place = "[\(index + 1)/\(schedule.entries.count)] \(entry.workload.identifier), \(entry.contender)"
      do {
        let sample = try measure(entry, servers)
        samples.append(sample)
        StandardError.write("\(place): \(summary(of: sample, entry.workload))")
      } catch {
        problems.append(
          "\(entry.contender) on \(entry.workload.identifier), round \(entry.round + 1): \(error)")
        StandardError.write("\(place): \(error)")
      }
    }
    return (samples, problems)
  }

  private func measure(_ entry: Schedule.Entry, _ servers: Servers) throws -> Sample {
    guard let server = servers.address(for: entry.workload) else {
      throw MeasurementFailure(reason: "this run has no server for it")
    }
    let arguments = MeasureOptions(
      contender: entry.contender, workload: entry.workload,
      secondsPerMeasurement: options.secondsPerMeasurement, requests: options.requests, url: server.url,
      certificate: server.certificate
    ).arguments
    let connectionsBefore = servers.connectionCount(for: entry.workload)
    let (output, status) = try ChildProcess(arguments: arguments).wait()
    guard status != Watchdog.exitStatus else {
      throw MeasurementFailure(reason: "it didn't end and was stopped")
    }
    guard status == 0 else { throw MeasurementFailure(reason: "its process ended with status \(status)") }
    var sample = try JSONDecoder().decode(Sample.self, from: output)
    sample.round = entry.round
    if let connectionsBefore, let connectionsAfter = servers.connectionCount(for: entry.workload) {
      sample.connections = connectionsAfter - connectionsBefore
    }
    return sample
  }

  private func summary(of sample: Sample, _ workload: Workload) -> String {
    let figure =
      switch workload.subject {
      case .speed:
        "\(NumberText.short(sample.requestsPerSecond)) requests/s, "
          + "\(NumberText.short(sample.processorMicroseconds)) µs of CPU each, "
          + "\(NumberText.percent(sample.machineInUse)) of the machine"
      case .growth: "\(NumberText.fixed(Double(sample.growth) / 1e6, digits: 2)) MB more"
      case .outstanding: "\(NumberText.fixed(sample.bytesWhileWaiting)) bytes each"
      }
    return sample.failures == 0 ? figure : "\(figure), \(sample.failures) FAILED"
  }
}

/// A measurement without a result.
struct MeasurementFailure: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}
