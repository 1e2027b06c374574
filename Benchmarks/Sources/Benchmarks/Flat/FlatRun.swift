import BenchmarkReport
import Foundation

/// Measures how much memory large bodies take, each in its own process.
struct FlatRun {
  private let options: FlatRunOptions

  init(_ options: FlatRunOptions) {
    self.options = options
  }

  func run() throws {
    let output = try Output(directory: options.output, name: "memory")
    Interruption.handle()
    let server = try ServerProcess()
    defer { server.stop() }
    var table = MarkdownTable([
      "100 MB", "default session, MB more", "MB/s", "over URLSession, MB more", "MB/s",
    ])
    for subject in FlatCase.all {
      table.add([subject.title] + cells(of: subject, .standard, server) + cells(of: subject, .urlSession, server))
    }
    try output.write(
      "# Memory for large bodies\n\nPeak growth of resident memory beyond that of a small request. Medians of "
        + "\(options.rounds) rounds, each in its own process.\n\n"
        + Circumstances.machine.map { "- \($0)\n" }.joined() + "\n" + table.text)
  }

  private func cells(of subject: FlatCase, _ session: FlatOptions.Session, _ server: ServerProcess) -> [String] {
    let samples = (0..<options.rounds).compactMap { _ in
      do {
        return try measure(FlatOptions(name: subject.name, session: session, url: server.url))
      } catch {
        StandardError.write("\(subject.name), \(session.rawValue): \(error)")
        return nil as FlatSample?
      }
    }
    let growth = Statistics.median(samples.map { Double($0.growth) })
    let speed = Statistics.median(samples.map { Double(FlatCase.bytes) / 1e6 / max($0.seconds, 1e-9) })
    return [growth.map(NumberText.megabytes) ?? "failed", NumberText.short(speed)]
  }

  private func measure(_ options: FlatOptions) throws -> FlatSample {
    let (output, status) = try ChildProcess(arguments: options.arguments).wait()
    guard status == 0 else { throw MeasurementFailure(reason: "its process ended with status \(status)") }
    return try JSONDecoder().decode(FlatSample.self, from: output)
  }

  /// Runs one measurement in the child process.
  static func measure(_ options: FlatOptions) async throws {
    guard let subject = FlatCase.named(options.name), let url = URL(string: options.url) else {
      throw UsageError("there is no body \"\(options.name)\"")
    }
    let sample = try await subject.measure(options.session, url: url)
    print(String(decoding: try JSONEncoder().encode(sample), as: UTF8.self))
  }
}
