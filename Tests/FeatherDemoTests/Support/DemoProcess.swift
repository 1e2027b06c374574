@testable import WebServicesTestSupport

/// A running demo process. Its output goes to files, so that no reader can block it. `outcome` waits for its end, and a
/// process that is released before is killed.
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

  private let process: pid_t
  private let output: TemporaryFile
  private let errorOutput: TemporaryFile
  /// The exit status, once the process has been waited for.
  private let status = Locked<Int32?>(nil)

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - arguments: the arguments.
  ///   - environment: additional environment variables. `FEATHER_PASSWORD` and `NO_COLOR` are never inherited.
  ///   - terminal: the terminal for all three standard streams. Without one the input is empty and the others are
  ///     files.
  ///   - script: what a shell runs in place of the demo. `"$0" "$@"` is the demo with its arguments.
  init(
    _ arguments: [String], environment: [String: String] = [:], terminal: Pseudoterminal? = nil,
    script: String? = nil
  ) throws {
    (output, errorOutput) = (try TemporaryFile(Data()), try TemporaryFile(Data()))
    let demo = try #require(Compiler.products).appendingPathComponent("FeatherDemo").path
    var variables = ProcessInfo.processInfo.environment
    for name in ["FEATHER_PASSWORD", "NO_COLOR"] { variables[name] = nil }
    variables["TERM"] = "xterm"
    let files = terminal.map { [String](repeating: $0.path, count: 3) }
    process = try HelperProcess.spawn(
      script == nil ? demo : "/bin/sh", (script.map { ["-c", $0, demo] } ?? []) + arguments,
      environment: variables.merging(environment) { $1 },
      streams: (files ?? ["/dev/null", output.url.path, errorOutput.url.path]).map { .file($0) })
  }

  deinit {
    if !hasEnded {
      send(SIGKILL)
      // Without the wait the process would stay as a zombie.
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
  }

  /// Sends SIGINT, as Control-C does.
  func interrupt() { send(SIGINT) }

  func send(_ signal: Int32) { kill(process, signal) }

  /// Waits for the end of the process.
  func outcome() async throws -> Outcome {
    guard try await isMet({ hasEnded }) else { throw TooSlow(outcome: current) }
    return current
  }

  /// Waits for the first whole line on standard output.
  func firstLine() async throws -> String {
    guard try await isMet({ current.output.contains("\n") }) else { throw TooSlow(outcome: current) }
    return current.lines.first.map(String.init) ?? ""
  }

  private var current: Outcome {
    func text(_ file: TemporaryFile) -> String {
      (try? Data(contentsOf: file.url)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    return Outcome(status: status.withLock { $0 } ?? -1, output: text(output), errorOutput: text(errorOutput))
  }

  /// Whether the process has ended. Takes its status the first time.
  private var hasEnded: Bool {
    status.withLock { ended in
      var status: Int32 = 0
      if ended == nil, waitpid(process, &status, WNOHANG) == process {
        // As a shell reports it: 128 plus the number of the signal that ended the process.
        let signal = status & 0x7F
        ended = signal == 0 ? status >> 8 & 0xFF : 128 + signal
      }
      return ended != nil
    }
  }

  /// Starts a process and waits for its end.
  static func run(
    _ arguments: String..., environment: [String: String] = [:], script: String? = nil
  ) async throws -> Outcome {
    try await DemoProcess(arguments, environment: environment, script: script).outcome()
  }
}
