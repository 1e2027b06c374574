import Foundation

/// Parses the command line, runs the command, and exits with its status.
@main
enum EntryPoint {
  @MainActor
  static func main() async {
    // Before anything else opens a file or a socket.
    StandardStreams.open()
    Interruption.handle()
    let status = await run(Array(CommandLine.arguments.dropFirst()))
    // The console prints on its own queue, and `exit` wouldn't wait for it.
    Console.flush()
    exit(status.rawValue)
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
      Console.note("FeatherDemo: \(error.message)")
      Console.note("Run \"\(error.helpInvocation)\" for help.")
      return .wrongUsage
    } catch let failure as CommandFailure {
      failure.lines.forEach(Console.note)
      return .failure
    } catch {
      Console.note("FeatherDemo: something unexpected went wrong.")
      return .failure
    }
  }

  @MainActor
  private static func run(_ arguments: Arguments) async throws {
    guard arguments.command != .serve else { return try await ServeCommand.run(arguments) }
    let context = try await CommandContext(arguments)
    // The context owns the backend, which must outlive the command's requests.
    defer { context.close() }
    switch arguments.command {
    case .signIn: try await SignInCommand.run(context)
    case .jokes: try await JokesCommand.run(context)
    case .request: try await RequestCommand.run(context)
    case .download: try await DownloadCommand.run(context)
    case .upload: try await UploadCommand.run(context)
    case .items: try await ItemsCommand.run(context)
    case .watch: try await WatchCommand.run(context)
    case .outage: try await OutageCommand(context).run()
    case .cities: try await CitiesCommand.run(context)
    case .account: try await AccountCommand.run(context)
    case .photo: try await PhotoCommand.run(context)
    case .menu: try await MenuCommand.run(context)
    case .signInAndJokes, .serve: try await MainScreen(context).show()
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
