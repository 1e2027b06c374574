import Foundation

/// A command-line tool of this machine.
struct Tool {
  let path: URL

  /// Looks for a tool on `PATH` and in the usual folders; `nil` if the machine doesn't have it.
  init?(_ name: String) {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let usual = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"]
    let found = (path.split(separator: ":").map(String.init) + usual)
      .map { URL(fileURLWithPath: $0).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { return nil }
    self.path = found
  }

  /// Runs the tool to its end.
  ///
  /// - Returns: what the tool has written to standard error; `nil` if the tool failed.
  func messages(of arguments: [String]) -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = path
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = output
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? text : nil
  }
}
