import Foundation

/// The descriptors, threads and memory of the process, read from `/proc`; empty on other systems.
struct ProcessFigures: Sendable {
  /// The number of descriptors by target, without varying numbers.
  var descriptors: [String: Int]
  /// The number of threads by the names that the library or its test server gave them.
  var threads: [String: Int]
  /// The bytes in memory.
  var memory: Int

  static func now() -> ProcessFigures {
    ProcessFigures(descriptors: descriptors(), threads: threads(), memory: residentMemory())
  }

  static func residentMemory() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
  }

  private static func descriptors() -> [String: Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return count(
      names.compactMap { name in
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)") else {
          return nil
        }
        return target.contains("/proc/") ? nil : String(target.prefix { $0 != "[" })
      })
  }

  private static func threads() -> [String: Int] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return count(
      numbers.compactMap { number in
        let name = try? String(contentsOfFile: "/proc/self/task/\(number)/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .whitespacesAndNewlines)
      }.filter { $0.hasPrefix("Curl") || $0.hasPrefix("curl") || $0.hasPrefix("Loopback") || $0.hasPrefix("WebServ") })
  }

  private static func count(_ names: [String]) -> [String: Int] {
    names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The descriptors and threads that were added since.
  func additions(since former: ProcessFigures) -> [String] {
    func more(_ kind: String, _ own: [String: Int], _ other: [String: Int]) -> [String] {
      own.compactMap { name, count in
        let added = count - other[name, default: 0]
        return added > 0 ? "\(added) more \(kind) of \(name)" : nil
      }
    }
    return more("descriptors", descriptors, former.descriptors) + more("threads", threads, former.threads)
  }
}
