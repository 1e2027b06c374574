import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// The memory in use by this process, in bytes.
enum Memory {
  #if os(Linux)
    /// The resident pages, counted exactly. The sum in `status` may lag by some hundred kilobytes.
    static var resident: Int {
      bytes(of: "Rss", in: "/proc/self/smaps_rollup") ?? bytes(of: "VmRSS", in: "/proc/self/status") ?? 0
    }

    /// The maximum since `resetPeak()`.
    static var peak: Int {
      max(bytes(of: "VmHWM", in: "/proc/self/status") ?? 0, resident)
    }

    static func resetPeak() {
      // Writing "5" resets the peak to the resident size; see proc(5).
      try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    private static func bytes(of field: String, in file: String) -> Int? {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
      let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
      return line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
  #else
    /// The memory footprint that the system's own tools show.
    static var resident: Int {
      var information = task_vm_info_data_t()
      var count = mach_msg_type_number_t(
        MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
      let result = withUnsafeMutablePointer(to: &information) { pointer in
        pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
          task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
        }
      }
      return result == KERN_SUCCESS ? Int(information.phys_footprint) : 0
    }

    /// The maximum since the start of the process. macOS can't reset it.
    static var peak: Int {
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return max(Int(usage.ru_maxrss), resident)
    }

    static func resetPeak() {}
  #endif
}
