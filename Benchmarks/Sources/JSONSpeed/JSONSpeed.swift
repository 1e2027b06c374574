import BenchmarkReport
import Foundation

/// How long both decoders take for the same documents, one right after the other.
package struct JSONSpeed: Sendable {
  package struct Result: Sendable {
    let name: String
    let bytes: Int
    /// Microseconds of processor time, and how many times as fast the library's decoder is in the same round.
    let foundation: Spread
    let own: Spread
    let ratio: Spread
  }

  package let results: [Result]
  /// How many times as long a thread takes when another one decodes too.
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
      // The first round warms up.
      guard round > 0 else { continue }
      foundation.append(round % 2 == 0 ? times.0 : times.1)
      own.append(round % 2 == 0 ? times.1 : times.0)
    }
    guard let all = Spread(quartilesOf: foundation), let mine = Spread(quartilesOf: own),
      let ratio = Spread(quartilesOf: zip(foundation, own).map { $0 / $1 })
    else { return nil }
    return Result(name: each.name, bytes: each.bytes, foundation: all, own: mine, ratio: ratio)
  }

  /// How often it takes to work for some milliseconds.
  private static func repetitions(of work: () throws -> Void) throws -> Int {
    max(1, Int(5000 / max(0.1, try time(work, 3))))
  }

  /// Microseconds of this thread's processor time.
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

  /// By the clock on the wall, since a thread that waits for a lock takes no processor time.
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

  /// Tables in Markdown.
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
        "Processor time of the thread that decodes; \(rounds) rounds, in each of which both decoders take the same document, "
          + "one right after the other; medians, the ratio within a round.",
        "The models are typed, and the settings those of `JSONDecoder()`.",
        "Two threads: how many times as long a thread takes, by the clock on the wall, as it does alone.",
      ]
    return "# What decoding JSON costs\n\n" + lines.map { "- \($0)\n" }.joined() + "\n" + table.text + "\n"
      + threads.text
  }
}
