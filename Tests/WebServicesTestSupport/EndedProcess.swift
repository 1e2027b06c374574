/// The exit status and the output of a program that has ended.
struct EndedProcess: Sendable {
  var status: Int32
  var output: Data

  /// Runs a program without input, and waits for its end without blocking a thread.
  ///
  /// - Parameters:
  ///   - environment: the program's environment; `nil` passes on that of the tests.
  ///   - mergesErrors: whether the output contains the standard error too.
  static func run(
    _ executable: URL, _ arguments: [String], environment: [String: String]? = nil, mergesErrors: Bool = false
  ) async throws -> EndedProcess {
    let output = try TemporaryFile(Data())
    // `Process` keeps the handle alive, and so would keep the file open.
    let handle = try FileHandle(forWritingTo: output.url)
    defer { try? handle.close() }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    if let environment { process.environment = environment }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    if mergesErrors { process.standardError = handle }
    let status = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch {
        process.terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
    return EndedProcess(status: status, output: try Data(contentsOf: output.url))
  }
}
