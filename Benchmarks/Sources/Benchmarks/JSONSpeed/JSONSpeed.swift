import Dispatch
import Foundation

/// Measures both decoders with the same documents, directly one after another.
enum JSONSpeed {
  private static let table = "Cost of decoding JSON"

  static func run(_ options: inout Options) throws {
    let rounds = try options.number("rounds", 41, atLeast: 1)
    try options.end()
    CSV.put(CSV.head)
    for each in JSONCase.all { try measure(each, rounds: rounds) }
    for each in JSONCase.all.prefix(2) {
      for (name, work) in [("Foundation", each.foundation), ("the library", each.own)] {
        try measureSlowdown(work, rounds: rounds) { round, slowdown in
          CSV.write("Two threads at once", each.name, name, round: round, slowdown)
        }
      }
    }
    Circumstances.write([
      "Processor time of the decoding thread. In each round both decoders decode the same document, one directly after "
        + "the other. The models are typed, and the settings are the defaults of `JSONDecoder()`, except for the repositories.",
      "Two threads: the elapsed time of a thread relative to its time alone.",
    ])
  }

  private static func measure(_ each: JSONCase, rounds: Int) throws {
    let count = try repetitions(of: each.foundation)
    for round in 0...rounds {
      let isEven = round % 2 == 0
      let times = (
        try time(isEven ? each.foundation : each.own, count), try time(isEven ? each.own : each.foundation, count)
      )
      // The first round is a warm-up.
      guard round > 0 else { continue }
      let (foundation, own) = isEven ? times : (times.1, times.0)
      CSV.write(table, each.name, "times as fast", round: round, foundation / own)
      CSV.write(table, each.name, "Foundation, µs", round: round, foundation)
      CSV.write(table, each.name, "the library, µs", round: round, own)
      CSV.write(table, each.name, "bytes", round: round, Double(each.bytes))
    }
  }

  /// The number of repetitions that take some milliseconds.
  private static func repetitions(of work: () throws -> Void) throws -> Int {
    max(1, Int(5000 / max(0.1, try time(work, 3))))
  }

  /// Measures the processor time of this thread in microseconds.
  private static func time(_ work: () throws -> Void, _ count: Int) throws -> Double {
    let start = processorTime()
    for _ in 0..<count { try work() }
    return (processorTime() - start) / Double(count)
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// Measures elapsed time, because a thread that waits for a lock uses no processor time.
  private static func measureSlowdown(
    _ work: @escaping @Sendable () throws -> Void, rounds: Int, _ record: (Int, Double) -> Void
  ) throws {
    let count = 4 * (try repetitions(of: work))
    func run(_ threads: Int) -> Double {
      let start = DispatchTime.now().uptimeNanoseconds
      DispatchQueue.concurrentPerform(iterations: threads) { _ in
        for _ in 0..<count { try? work() }
      }
      return Double(DispatchTime.now().uptimeNanoseconds - start)
    }
    for round in 0..<rounds {
      let alone = run(1)
      record(round, run(2) / alone)
    }
  }
}
