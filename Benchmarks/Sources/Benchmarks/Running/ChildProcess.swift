import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A child process that ends with this process. `wait()` for its output and its status, or `stop()` it.
final class ChildProcess {
  private struct Children: Sendable {
    var running: Set<pid_t> = []
    /// Whether the program is ending and starts no more children.
    var isEnding = false
  }

  /// The children of all threads, for `stopAll()`.
  private static let children = Mutex(Children())

  private let process = Process()
  private let end = DispatchGroup()
  private let input = Pipe()
  private let output = Pipe()

  /// - Parameter program: the path of an executable; `nil` starts this program again.
  init(program: URL? = nil, arguments: [String]) throws {
    process.executableURL = program ?? Bundle.main.executableURL
    process.arguments = arguments
    // All servers are local, and not every contender would use a proxy.
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
    // The backtracer of a crashed child would keep the pipe open, sometimes for ever.
    process.environment?["SWIFT_BACKTRACE"] = "enable=no"
    process.standardInput = input
    process.standardOutput = output
    end.enter()
    process.terminationHandler = { [end] _ in end.leave() }
    try Self.children.withLock { children in
      guard !children.isEnding else { throw CancellationError() }
      try process.run()
      children.running.insert(process.processIdentifier)
    }
  }

  var isRunning: Bool { process.isRunning }

  /// Reads the child's output up to its first line feed.
  func readLine() -> String {
    var line = Data()
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), let first = byte.first,
      first != 0x0A
    {
      line.append(first)
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Waits for the child's exit.
  ///
  /// - Returns: the child's output and exit status.
  func wait() -> (output: Data, status: Int32) {
    // Before the wait: a child whose output fills the pipe would never end.
    let data = output.fileHandleForReading.readDataToEndOfFile()
    end.wait()
    forget()
    return (data, process.terminationStatus)
  }

  /// Runs this program again, and prints the figures that the child prints.
  ///
  /// - Returns: what went wrong; `nil` if nothing did.
  static func figures(_ arguments: [String]) -> String? {
    do {
      let (output, status) = try ChildProcess(arguments: arguments).wait()
      FileHandle.standardOutput.write(output)
      if status == Watchdog.exitStatus { return "it didn't end and was stopped" }
      return status == 0 ? nil : "its process ended with status \(status)"
    } catch {
      return "\(error)"
    }
  }

  func stop() {
    Self.stop(process.processIdentifier)
    end.wait()
    forget()
  }

  private func forget() {
    let identifier = process.processIdentifier
    Self.children.withLock { _ = $0.running.remove(identifier) }
  }

  /// Kills all children. They have their own process groups, so a signal from the terminal doesn't reach them.
  static func stopAll() {
    children.withLock { children in
      children.isEnding = true
      children.running.forEach(stop)
    }
  }

  /// Sends SIGKILL, because a child inherits blocked and ignored signals and may never receive another one.
  private static func stop(_ identifier: pid_t) {
    kill(identifier, SIGKILL)
  }
}
