import BenchmarkReport
import Foundation
import Fuzz

/// Feeds every parser, each in its own process. If a process crashes, another one continues after the input that
/// crashed it.
struct FuzzRun {
  private static let crashLimit = 5

  private let options: FuzzOptions
  private let directory: URL

  init(_ options: FuzzOptions) throws {
    self.options = options
    directory = URL(
      fileURLWithPath: options.output ?? FileManager.default.temporaryDirectory.path + "/Fuzz", isDirectory: true)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// - Returns: whether no parser failed.
  func run() throws -> Bool {
    Interruption.handle()
    let subjects = Subject.all.filter { options.subjects.contains($0.name) }
    let weight = subjects.reduce(0) { $0 + $1.weight }
    var table = MarkdownTable([
      "parser", "inputs", "inputs/s", "slowest, ms of CPU", "bytes of the slowest", "number of the slowest", "problems",
    ])
    var problems: [String] = []
    var total = 0
    for subject in subjects {
      let outcome = try feed(subject, inputs: (options.inputs * subject.weight + weight - 1) / weight)
      total += outcome.inputs
      problems += outcome.problems.map { problem in
        "\(subject.name), input \(problem.index): \(problem.message)\n  \(keep(subject, problem.index))"
      }
      let slowest = FuzzInput(of: subject, index: outcome.slowest, seed: options.seed)
      table.add([
        subject.name, NumberText.fixed(Double(outcome.inputs)),
        NumberText.fixed(outcome.seconds > 0 ? Double(outcome.inputs) / outcome.seconds : 0),
        NumberText.fixed(outcome.slowestSeconds * 1000, digits: 2), NumberText.fixed(Double(slowest.bytes.count)),
        "\(outcome.slowest)",
        "\(outcome.problems.count)",
      ])
      StandardError.write("\(subject.name): \(outcome.inputs) inputs, \(outcome.problems.count) problems")
    }
    print("\(NumberText.fixed(Double(total))) inputs, seed \(options.seed)\n\n\(table.text)")
    problems.forEach { print("- \($0)") }
    return problems.isEmpty
  }

  private func feed(_ subject: Subject, inputs: Int) throws -> FuzzPart.Outcome {
    let scratch = try Self.scratchDirectory()
    defer { try? FileManager.default.removeItem(at: scratch) }
    let markFile = scratch.appendingPathComponent("next")
    let mark = try FuzzMark(markFile)
    var sum = FuzzPart.Outcome()
    var start = 0
    while start < inputs, sum.problems.count < Self.crashLimit {
      mark.set(start)
      let part = FuzzPartOptions(
        subject: subject.name, seed: options.seed, start: start, end: inputs, mark: markFile.path)
      let (output, status) = try ChildProcess(arguments: part.arguments).wait()
      if status == 0 {
        sum.add(try JSONDecoder().decode(FuzzPart.Outcome.self, from: output))
        return sum
      }
      let index = mark.value
      let reason =
        status == FuzzPart.stuckStatus ? "it takes a minute and more" : "it ends the process, status \(status)"
      sum.inputs += index - start + 1
      sum.problems.append(FuzzPart.Outcome.Problem(index: index, message: reason))
      start = index + 1
    }
    return sum
  }

  /// A folder in memory if the system has one, so that the disk doesn't slow the run down.
  private static func scratchDirectory() throws -> URL {
    let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
    let isThere = FileManager.default.isWritableFile(atPath: memory.path)
    let parent = isThere ? memory : FileManager.default.temporaryDirectory
    let directory = parent.appendingPathComponent("Fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return directory
  }

  /// Saves an input to a file.
  private func keep(_ subject: Subject, _ index: Int) -> String {
    let input = FuzzInput(of: subject, index: index, seed: options.seed)
    let name = subject.name.filter { $0.isLetter }
    let file = directory.appendingPathComponent("\(name)-\(options.seed)-\(index).bin")
    do {
      try input.data.write(to: file)
      return file.path
    } catch {
      return "\(input.bytes)"
    }
  }

  /// Feeds one parser in the child process.
  static func measure(_ options: FuzzPartOptions) async throws {
    guard let subject = Subject.named(options.subject) else {
      throw UsageError("there is no parser \"\(options.subject)\"")
    }
    let part = try FuzzPart(
      subject: subject, seed: options.seed, range: options.start..<max(options.start, options.end),
      mark: URL(fileURLWithPath: options.mark))
    print(String(decoding: try JSONEncoder().encode(try await part.run()), as: UTF8.self))
  }
}

extension FuzzPart.Outcome {
  fileprivate mutating func add(_ other: FuzzPart.Outcome) {
    inputs += other.inputs
    seconds += other.seconds
    problems += other.problems
    if other.slowestSeconds > slowestSeconds { (slowest, slowestSeconds) = (other.slowest, other.slowestSeconds) }
  }
}
