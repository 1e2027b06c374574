import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process that ends with this one.
final class ChildProcess {
  private struct Children: Sendable {
    var running: Set<pid_t> = []
    /// Whether no more may be started.
    var isEnding = false
  }

  private static let children = Mutex(Children())

  private let process = Process()
  private let end = DispatchGroup()
  private let input = Pipe()
  private let output = Pipe()

  /// - Parameter program: the path of an executable; `nil` means this program once more.
  init(program: URL? = nil, arguments: [String]) throws {
    process.executableURL = program ?? Bundle.main.executableURL
    process.arguments = arguments
    // Nothing here is meant for a proxy, and not every contender would ask for one.
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
    // What traces a crash would keep the pipe open, and now and then for ever.
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

  /// What the process wrote before its first line feed.
  func readLine() -> String {
    var line = Data()
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), let first = byte.first,
      first != 0x0A
    {
      line.append(first)
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Waits for the end.
  ///
  /// - Returns: what the process wrote, and its exit status.
  func wait() -> (output: Data, status: Int32) {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    end.wait()
    forget()
    return (data, process.terminationStatus)
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

  /// Children are in a process group of their own: a signal from the terminal has to be handed on to them.
  static func stopAll() {
    children.withLock { children in
      children.isEnding = true
      children.running.forEach(stop)
    }
  }

  /// A child inherits which signals are blocked or ignored where it was started, so that a gentler one may never
  /// reach it.
  private static func stop(_ identifier: pid_t) {
    kill(identifier, SIGKILL)
  }
}
