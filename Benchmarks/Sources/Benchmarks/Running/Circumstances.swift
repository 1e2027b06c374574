import Foundation
import WebServices

/// The versions, the machine and the time of a run.
enum Circumstances {
  /// Prints the time, the machine, the build, and further notes.
  static func write(_ notes: [String]) {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let facts = [
      "Measured on \(ISO8601DateFormatter().string(from: Date())).",
      "Machine: \(processors) processors\(processorName), \(ProcessInfo.processInfo.operatingSystemVersionString).",
      compiler,
      "Load average at the end: \(load).",
    ]
    (facts + notes).forEach(CSV.note)
  }

  /// Prints the versions and the settings of a run.
  static func write(_ runner: Runner, _ servers: Servers) {
    write([
      "The library's default session: \((try? DefaultSession.make())?.description ?? "none").",
      "Client and server share the machine. Server: \(servers.description).",
      "\(runner.rounds) interleaved rounds of \(runner.seconds) s each, after a warm-up.",
    ])
    // `Benchmarks/report` reads these lines.
    for base in Contender.bases { CSV.note("base: \(Contender.named(base)?.title ?? base)") }
  }

  /// The load of the machine over the last minute. A load well above the expected one means that other processes were
  /// busy.
  private static var load: String {
    var averages = [0.0]
    return getloadavg(&averages, 1) == 1 ? String(format: "%.1f", averages[0]) : "not known"
  }

  private static var processorName: String {
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return "" }
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { " (\($0.trimmingCharacters(in: .whitespaces)))" } ?? ""
  }

  private static var compiler: String {
    #if DEBUG
      "A debug build, so these figures mean nothing."
    #else
      "A release build."
    #endif
  }
}
