import Foundation

/// Runs the backend until the process is interrupted.
@MainActor
enum ServeCommand {
  /// The address of the started backend, as the option `--json` prints it.
  private struct Started: Encodable {
    var baseURL: String
  }

  static func run(_ arguments: Arguments) async throws {
    let backend = try start(arguments)
    let url = backend.baseURL.absoluteString
    if arguments.printsJSON {
      Console.data(try JSONText.of(Started(baseURL: url)))
    } else {
      Console.result(url)
    }
    Console.note(
      "Serving sign-in and jokes; any user can sign in with the password \"\(DemoAccount.password)\"."
        + " Press Control-C to stop.")
    // The continuation is never resumed: the interruption ends the process.
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    backend.stop()
  }

  private static func start(_ arguments: Arguments) throws -> DemoBackend {
    do {
      return try DemoBackend(port: arguments.port, log: arguments.isVerbose ? Console.note : nil)
    } catch {
      throw CommandFailure([
        "FeatherDemo: the backend can't be started. \(error)",
        arguments.port == 0
          ? "Please try again."
          : "Is port \(arguments.port) in use? Without --port the system chooses a free one.",
      ])
    }
  }
}
