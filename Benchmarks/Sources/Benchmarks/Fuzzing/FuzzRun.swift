import Foundation
import Fuzz

/// Feeds every parser, each in its own process. If a process crashes, another one continues after the input that
/// crashed it.
struct FuzzRun {
  private static let crashLimit = 5

  private let inputs: Int
  private let seed: UInt64
  private let names: [String]
  private let directory: URL

  init(_ options: inout Options) throws {
    inputs = try options.number("inputs", 2_000_000, atLeast: 1)
    seed = try options.number("seed", 1, atLeast: 0)
    names = try options.names("only", of: Subject.all.map(\.name))
    directory = URL(
      fileURLWithPath: options.text("output") ?? FileManager.default.temporaryDirectory.path + "/Fuzz",
      isDirectory: true)
    try options.end()
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// - Returns: whether no parser failed.
  func run() throws -> Bool {
    Interruption.handle()
    let subjects = Subject.all.filter { names.contains($0.name) }
    let weight = subjects.reduce(0) { $0 + $1.weight }
    CSV.put(CSV.head)
    var isGood = true
    for subject in subjects {
      let outcome = try feed(subject, inputs: (inputs * subject.weight + weight - 1) / weight)
      for problem in outcome.problems {
        isGood = false
        let place = "\(subject.name), input \(problem.index)"
        CSV.note("Problem: \(place): \(problem.message); \(keep(subject, problem.index))")
      }
      let slowest = FuzzInput(of: subject, index: outcome.slowest, seed: seed)
      let figures = [
        ("inputs", Double(outcome.inputs)), ("inputs/s", Double(outcome.inputs) / outcome.seconds),
        ("slowest, ms of CPU", outcome.slowestSeconds * 1000), ("bytes of the slowest", Double(slowest.bytes.count)),
        ("number of the slowest", Double(outcome.slowest)), ("problems", Double(outcome.problems.count)),
      ]
      for (figure, value) in figures { CSV.write("Fuzzing the parsers", subject.name, figure, value) }
      CSV.progress("\(subject.name): \(outcome.inputs) inputs, \(outcome.problems.count) problems")
    }
    Circumstances.write(["Seed \(seed)."])
    return isGood
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
      let arguments = [
        "fuzz-part", "--parser", subject.name, "--seed", "\(seed)", "--from", "\(start)", "--to", "\(inputs)", "--mark",
        markFile.path,
      ]
      let (output, status) = try ChildProcess(arguments: arguments).wait()
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
    let input = FuzzInput(of: subject, index: index, seed: seed)
    let name = subject.name.filter { $0.isLetter }
    let file = directory.appendingPathComponent("\(name)-\(seed)-\(index).bin")
    do {
      try input.data.write(to: file)
      return file.path
    } catch {
      return "\(input.bytes)"
    }
  }

  /// Feeds one parser in the child process.
  static func measure(_ options: inout Options) async throws {
    guard let subject = Subject.named(try options.required("parser")) else {
      throw UsageError("there is no such parser")
    }
    let start = try options.number("from", 0, atLeast: 0)
    let part = try FuzzPart(
      subject: subject, seed: options.number("seed", 1, atLeast: 0),
      range: start..<options.number("to", start, atLeast: start),
      mark: URL(fileURLWithPath: options.required("mark")))
    try options.end()
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
