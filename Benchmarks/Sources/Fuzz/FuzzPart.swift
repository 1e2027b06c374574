import Dispatch
package import Foundation

/// Feeds some inputs to one parser in its own process. If the process crashes, the parent reads the number of the input
/// from a file.
package struct FuzzPart: Sendable {
  package struct Outcome: Codable, Sendable {
    package struct Problem: Codable, Sendable {
      package var index: Int
      package var message: String

      package init(index: Int, message: String) {
        self.index = index
        self.message = message
      }
    }

    package var inputs = 0
    package var seconds = 0.0
    /// The input that took the most processor time.
    package var slowest = 0
    package var slowestSeconds = 0.0
    package var problems: [Problem] = []

    package init() {}
  }

  /// The exit status after an input took far too long (EX_TEMPFAIL).
  package static let stuckStatus: Int32 = 75
  private static let problemLimit = 5

  private let subject: Subject
  private let seed: UInt64
  private let range: Range<Int>
  private let mark: FuzzMark
  private let directory: URL

  /// - Parameter mark: the file with the number of the next input, in a directory that only this process uses.
  package init(subject: Subject, seed: UInt64, range: Range<Int>, mark: URL) throws {
    self.subject = subject
    self.seed = seed
    self.range = range
    self.mark = try FuzzMark(mark)
    directory = mark.deletingLastPathComponent()
  }

  package func run() async throws -> Outcome {
    watch()
    let parse = try await subject.open(directory)
    var outcome = Outcome()
    let start = DispatchTime.now().uptimeNanoseconds
    var last = clock()
    for index in range {
      // Before the input is made and parsed: a crash leaves its number in the file.
      mark.set(index)
      var input = FuzzInput(of: subject, index: index, seed: seed)
      do {
        try await parse(&input)
      } catch {
        outcome.problems.append(Outcome.Problem(index: index, message: (error as? Finding)?.message ?? "\(error)"))
        if outcome.problems.count == Self.problemLimit { break }
      }
      outcome.inputs += 1
      let now = clock()
      let seconds = Double(now - last) / Double(CLOCKS_PER_SEC)
      if seconds > outcome.slowestSeconds { (outcome.slowest, outcome.slowestSeconds) = (index, seconds) }
      last = now
    }
    outcome.seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    return outcome
  }

  /// Ends the process if one input takes a minute.
  private func watch() {
    Thread.detachNewThread { [mark] in
      var former = -1
      while true {
        Thread.sleep(forTimeInterval: 60)
        let current = mark.value
        if current == former { exit(Self.stuckStatus) }
        former = current
      }
    }
  }
}
