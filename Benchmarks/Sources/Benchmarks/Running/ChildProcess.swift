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
  private static let running = Mutex<Set<pid_t>>([])

  private let process = Process()
  private let end = DispatchGroup()
  private let input = Pipe()
  private let output = Pipe()

  /// - Parameter program: the path of an executable; `nil` means this program once more.
  init(program: URL? = nil, arguments: [String]) throws {
    process.executableURL = program ?? Bundle.main.executableURL
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    end.enter()
    process.terminationHandler = { [end] _ in end.leave() }
    try process.run()
    let identifier = process.processIdentifier
    Self.running.withLock { _ = $0.insert(identifier) }
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
    Self.running.withLock { _ = $0.remove(identifier) }
  }

  /// Children are in a process group of their own: a signal from the terminal has to be handed on to them.
  static func stopAll() {
    for identifier in running.withLock({ $0 }) {
      stop(identifier)
    }
  }

  /// A child inherits which signals are blocked or ignored where it was started, so that a gentler one may never
  /// reach it.
  private static func stop(_ identifier: pid_t) {
    kill(identifier, SIGKILL)
  }
}
