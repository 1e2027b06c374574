import Foundation
import WebServices

/// A running demo process.
final class DemoProcess: Sendable {
  /// The exit status and the output of the process.
  struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errorOutput: String

    /// Standard output and standard error together.
    var everything: String { output + errorOutput }
    var lines: [Substring] { output.split(separator: "\n") }
    var errorLines: [Substring] { errorOutput.split(separator: "\n") }
  }

  /// The process didn't do in time what the test waited for.
  struct TooSlow: Error {
    let outcome: Outcome
  }

  private let process: Process
  private let isOnTerminal: Bool
  private let output = OutputCollector()
  private let errorOutput = OutputCollector()
  private let status = Locked<Int32?>(nil)

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - arguments: the arguments.
  ///   - environment: additional environment variables. `FEATHER_PASSWORD` and `NO_COLOR` are never inherited.
  ///   - terminal: the terminal for all three standard streams. Without one the input is empty and the others are pipes.
  ///   - script: what a shell runs in place of the demo. `"$0" "$@"` is the demo with its arguments.
  init(
    _ arguments: [String], environment: [String: String] = [:], terminal: FileHandle? = nil,
    script: String? = nil
  ) throws {
    process = Process()
    isOnTerminal = terminal != nil
    let executable = try DemoExecutable.url()
    if let script {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", script, executable.path] + arguments
    } else {
      process.executableURL = executable
      process.arguments = arguments
    }
    process.environment = Self.environment(with: environment)
    try start(on: terminal)
  }

  private static func environment(with variables: [String: String]) -> [String: String] {
    var all = ProcessInfo.processInfo.environment
    for name in ["FEATHER_PASSWORD", "NO_COLOR"] { all[name] = nil }
    all["TERM"] = "xterm"
    return all.merging(variables) { $1 }
  }

  private func start(on terminal: FileHandle?) throws {
    let status = status
    process.terminationHandler = { process in
      // A shell reports a process that a signal ended with a status of 128 plus the signal's number.
      let isSignal = process.terminationReason == .uncaughtSignal
      status.withLock { $0 = process.terminationStatus + (isSignal ? 128 : 0) }
    }
    if let terminal {
      process.standardInput = terminal
      process.standardOutput = terminal
      process.standardError = terminal
      return try process.run()
    }
    let (outputPipe, errorPipe) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    try process.run()
    output.collect(from: outputPipe.fileHandleForReading)
    errorOutput.collect(from: errorPipe.fileHandleForReading)
  }

  /// Sends SIGINT, as Control-C does.
  func interrupt() { send(SIGINT) }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits for the end of the process, and kills it after the timeout.
  func outcome(timeout: TimeInterval = 60) async throws -> Outcome {
    let status = status
    do {
      try await wait(timeout: timeout) { status.withLock { $0 != nil } }
    } catch {
      kill(process.processIdentifier, SIGKILL)
      throw error
    }
    guard !isOnTerminal else { return current }
    // A process that started at the same moment may hold the pipes open, so the wait for their end is short.
    try? await wait(timeout: 5) { [output, errorOutput] in output.isAtEnd && errorOutput.isAtEnd }
    return current
  }

  /// Waits for the first whole line on standard output.
  func firstLine(timeout: TimeInterval = 30) async throws -> String {
    try await wait(timeout: timeout) { [output] in output.text.contains("\n") }
    return current.lines.first.map(String.init) ?? ""
  }

  private var current: Outcome {
    Outcome(status: status.withLock { $0 } ?? -1, output: output.text, errorOutput: errorOutput.text)
  }

  private func wait(timeout: TimeInterval, until isMet: @Sendable () -> Bool) async throws {
    let deadline = SystemClock.shared.now + timeout
    while !isMet() {
      guard SystemClock.shared.now < deadline else { throw TooSlow(outcome: current) }
      try await Task.sleep(nanoseconds: 5_000_000)
    }
  }

  /// Starts a process and waits for its end.
  static func run(
    _ arguments: String..., environment: [String: String] = [:], script: String? = nil
  ) async throws -> Outcome {
    try await DemoProcess(arguments, environment: environment, script: script).outcome()
  }
}
