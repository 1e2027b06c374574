import WebServices

/// Shows server-sent events as they come.
@MainActor
enum WatchCommand {
  static func run(_ context: CommandContext) async throws {
    throw CommandFailure(["FeatherDemo: not there yet."])
  }
}
