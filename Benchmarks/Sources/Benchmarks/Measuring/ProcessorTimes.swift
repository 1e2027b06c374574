/// The time of all processors of the machine, in the ticks of Linux's `/proc/stat`.
struct ProcessorTimes: Hashable, Sendable {
  var busy: Int
  /// The time without work, and the time in which all work waits for a disk.
  var idle: Int
}

extension ProcessorTimes {
  /// Parses the first line of `/proc/stat`; `nil` if the line isn't the sum of all processors.
  init?(statistics text: String) {
    let words = text.prefix { $0 != "\n" }.split(separator: " ")
    // user, nice, system, idle, iowait, irq, softirq, steal. The guests' times that follow are a part of user and nice.
    let times = words.dropFirst().prefix(8).compactMap { Int($0) }
    guard words.first == "cpu", times.count == 8 else { return nil }
    idle = times[3] + times[4]
    busy = times.reduce(0, +) - idle
  }

  /// The share of the time in which the processors weren't idle; `nil` if no time has passed.
  var shareInUse: Double? {
    busy + idle > 0 ? Double(busy) / Double(busy + idle) : nil
  }

  static func - (later: ProcessorTimes, earlier: ProcessorTimes) -> ProcessorTimes {
    ProcessorTimes(busy: later.busy - earlier.busy, idle: later.idle - earlier.idle)
  }
}
