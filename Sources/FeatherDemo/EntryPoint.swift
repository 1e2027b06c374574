import Foundation
import WebServices

/// Parses the command line, runs the command, and exits with its status.
@main
enum EntryPoint {
  @MainActor
  static func main() async {
    // Before anything else opens a file or a socket.
    Console.reserveStandardStreams()
    let work = Task { await run(Array(CommandLine.arguments.dropFirst())) }
    Interruption.handle {
      work.cancel()
      // The requests with a completion handler, which no task waits for.
      JsonWebService.shared.invalidateAndCancel()
    }
    var status = await work.value.rawValue
    // Shells use the same status for a process that a signal ended.
    if let number = Interruption.number, status != ExitStatus.success.rawValue { status = 128 + number }
    // The console prints on its own queue, which nobody else waits for.
    Console.flush()
    // Not `exit`: it frees the TLS library, which another thread may still use for a request that is being cancelled.
    _exit(status)
  }

  @MainActor
  private static func run(_ words: [String]) async -> ExitStatus {
    do {
      switch try Invocation(words) {
      case .help(let command): Console.result(HelpText.text(for: command))
      case .version: Console.result(HelpText.version)
      case .run(let arguments): try await run(arguments)
      }
      return .success
    } catch let error as UsageError {
      Console.note("FeatherDemo: \(error.message)", .red)
      Console.note("Run \"\(error.command.invocation) --help\" for help.")
      return .wrongUsage
    } catch {
      // After an interruption the user has read what was ended.
      guard Interruption.number == nil else { return .failure }
      let failure =
        error as? CommandFailure ?? CommandFailure(["FeatherDemo: something unexpected went wrong. \(error)"])
      for (index, line) in failure.lines.enumerated() { Console.note(line, index == 0 ? .red : nil) }
      return .failure
    }
  }

  @MainActor
  private static func run(_ arguments: Arguments) async throws {
    guard arguments.command != .serve else { return try await ServeCommand.run(arguments) }
    let context = try CommandContext(arguments)
    // The context owns the demo's server, which must outlive the command's requests.
    defer { context.close() }
    switch arguments.command {
    case .signInAndJokes, .serve: try await MainScreen(context: context).show()
    case .signIn: try await JokesCommand.signIn(context)
    case .jokes: try await JokesCommand.showJokes(context)
    case .request: try await RequestCommand.run(context)
    case .download: try await TransferCommand.download(context)
    case .upload: try await TransferCommand.upload(context)
    case .watch: try await WatchCommand.run(context)
    case .cities: try await CitiesCommand.run(context)
    case .account: try await AccountCommand.run(context)
    case .photo: try await PhotoCommand.run(context)
    case .menu: try await MenuCommand.run(context)
    }
  }
}

/// The exit status of the process.
enum ExitStatus: Int32 {
  case success = 0
  case failure = 1
  /// The value of `EX_USAGE` in sysexits.h.
  case wrongUsage = 64
}
