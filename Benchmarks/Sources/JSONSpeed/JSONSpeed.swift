import BenchmarkReport
import Foundation

/// Measures both decoders with the same documents, directly one after another.
package struct JSONSpeed: Sendable {
  package struct Result: Sendable {
    let name: String
    let bytes: Int
    /// The microseconds of processor time, and the library's speed relative to Foundation's in the same round.
    let foundation: Spread
    let own: Spread
    let ratio: Spread
  }

  package let results: [Result]
  /// The slowdown of a thread while another thread decodes too.
  private let twoThreads: [(name: String, foundation: Spread, own: Spread)]
  private let rounds: Int

  package init(rounds: Int) throws {
    self.rounds = rounds
    results = try JSONCase.all.compactMap { try Self.measure($0, rounds: rounds) }
    twoThreads = try JSONCase.all.prefix(2).compactMap { each in
      guard let foundation = try Self.slowdown(each.foundation, rounds: rounds),
        let own = try Self.slowdown(each.own, rounds: rounds)
      else { return nil }
      return (each.name, foundation, own)
    }
  }

  private static func measure(_ each: JSONCase, rounds: Int) throws -> Result? {
    let count = try repetitions(of: each.foundation)
    var (foundation, own): ([Double], [Double]) = ([], [])
    for round in 0..<(rounds + 1) {
      let first = round % 2 == 0 ? each.foundation : each.own
      let second = round % 2 == 0 ? each.own : each.foundation
      let times = (try time(first, count), try time(second, count))
      // The first round is a warm-up.
      guard round > 0 else { continue }
      foundation.append(round % 2 == 0 ? times.0 : times.1)
      own.append(round % 2 == 0 ? times.1 : times.0)
    }
    guard let all = Spread(quartilesOf: foundation), let mine = Spread(quartilesOf: own),
      let ratio = Spread(quartilesOf: zip(foundation, own).map { $0 / $1 })
    else { return nil }
    return Result(name: each.name, bytes: each.bytes, foundation: all, own: mine, ratio: ratio)
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
  private static func slowdown(_ work: @escaping @Sendable () throws -> Void, rounds: Int) throws -> Spread? {
    let count = 4 * (try repetitions(of: work))
    func run(_ threads: Int) -> Double {
      let start = DispatchTime.now().uptimeNanoseconds
      DispatchQueue.concurrentPerform(iterations: threads) { _ in
        for _ in 0..<count { try? work() }
      }
      return Double(DispatchTime.now().uptimeNanoseconds - start)
    }
    let ratios = (0..<rounds).map { _ in
      let alone = run(1)
      return run(2) / alone
    }
    return Spread(quartilesOf: ratios)
  }

  /// The results as Markdown tables.
  package func markdown(circumstances: [String]) -> String {
    var table = MarkdownTable([
      "document", "bytes", "Foundation, µs", "the library, µs", "times as fast", "middle half of the rounds",
    ])
    for result in results {
      table.add([
        result.name, NumberText.fixed(Double(result.bytes)), NumberText.fixed(result.foundation.median, digits: 1),
        NumberText.fixed(result.own.median, digits: 1), NumberText.fixed(result.ratio.median, digits: 2),
        "\(NumberText.fixed(result.ratio.least, digits: 2))–\(NumberText.fixed(result.ratio.greatest, digits: 2))",
      ])
    }
    var threads = MarkdownTable(["two threads at once, each", "Foundation", "the library"])
    for result in twoThreads {
      threads.add([
        result.name, NumberText.fixed(result.foundation.median, digits: 2),
        NumberText.fixed(result.own.median, digits: 2),
      ])
    }
    let lines =
      circumstances + [
        "Processor time of the decoding thread in \(rounds) rounds. In each round both decoders decode the same document, "
          + "one directly after the other. Figures are medians; ratios compare within a round.",
        "The models are typed, and the settings are the defaults of `JSONDecoder()`.",
        "Two threads: the elapsed time of a thread relative to its time alone.",
      ]
    return "# Cost of decoding JSON\n\n" + lines.map { "- \($0)\n" }.joined() + "\n" + table.text + "\n"
      + threads.text
  }
}
