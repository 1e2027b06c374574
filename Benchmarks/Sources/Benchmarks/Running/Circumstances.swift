import BenchmarkReport
import Foundation
import WebServices

/// The versions, the machine and the time of a run.
enum Circumstances {
  static func lines(for options: RunOptions, servers: Servers) -> [String] {
    let bases = Contender.bases
    return machine + [
      "The library's default session: \((try? DefaultSession.make())?.description ?? "none").",
      "Client and server share the machine. Server: \(servers.description).",
      "\(options.rounds) interleaved rounds of \(NumberText.short(options.secondsPerMeasurement)) s each, "
        + "after a warm-up; medians.",
      "× URLSession: as a multiple of \(title(bases.foundation)).",
      "× AHC: as a multiple of \(title(bases.asyncHTTPClient)).",
    ]
  }

  /// The time, the machine and the build.
  static var machine: [String] {
    [
      "Measured on \(ISO8601DateFormatter().string(from: Date())).",
      "Machine: \(ProcessInfo.processInfo.activeProcessorCount) processors\(processorName), "
        + "\(ProcessInfo.processInfo.operatingSystemVersionString).",
      compiler,
      "Load average at the end: \(load).",
    ]
  }

  /// The load of the machine over the last minute. A load well above the expected one means that other processes were
  /// busy.
  private static var load: String {
    var averages = [0.0]
    return getloadavg(&averages, 1) == 1 ? NumberText.fixed(averages[0], digits: 1) : "not known"
  }

  private static func title(_ identifier: String) -> String {
    Contender.named(identifier).map { "“\($0.name.title)”" } ?? identifier
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
