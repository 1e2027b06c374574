import Foundation

/// Runs the demo's server until the process is interrupted.
@MainActor
enum ServeCommand {
  static func run(_ arguments: Arguments) async throws {
    let backend = try DemoBackend.start(port: arguments.port, log: arguments.isVerbose ? Console.note : nil)
    defer { backend.stop() }
    let url = backend.baseURL.absoluteString
    Console.result(arguments.printsJSON ? try JSONText.of(["baseURL": url]) : url)
    Console.note("Any user can sign in with the password \"\(DemoAccount.password)\". Press Control-C to stop.")
    // An interruption cancels the task.
    while !Task.isCancelled { try? await Task.sleep(nanoseconds: 60_000_000_000) }
  }
}
