import Foundation

/// The descriptors, threads and memory of the process, read from `/proc`; empty on other systems.
struct ProcessFigures: Sendable {
  /// The number of descriptors by target, and of threads by the names that the library or its test server gave them.
  private let counts: [String: Int]
  let memory = residentMemory()

  init() {
    func names(_ folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")) ?? []
    }
    let descriptors = names("fd").compactMap { name -> String? in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
      // The names of sockets and pipes have a number.
      return target.flatMap { $0.contains("/proc/") ? nil : "descriptors of \($0.prefix { $0 != "[" })" }
    }
    let threads = names("task").compactMap { number -> String? in
      let name = try? String(contentsOfFile: "/proc/self/task/\(number)/comm", encoding: .utf8)
      let isOwn = ["Curl", "curl", "Loopback", "WebServ"].contains { name?.hasPrefix($0) == true }
      return isOwn ? "threads with the name \(name ?? "")" : nil
    }
    counts = (descriptors + threads).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  static func residentMemory() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
  }

  /// The descriptors and threads that were added since.
  func additions(since former: ProcessFigures) -> [String] {
    counts.compactMap { name, count in
      let added = count - former.counts[name, default: 0]
      return added > 0 ? "\(added) more \(name)" : nil
    }
  }
}
