import WebServices

/// Shows server-sent events as they arrive, and each reconnection.
@MainActor
enum WatchCommand {
  /// An event, as the option `--json` prints it.
  private struct Shown: Encodable {
    var id: String
    var event: String
    var data: String
  }

  static func run(_ context: CommandContext) async throws {
    var configuration = context.configuration
    configuration.monitors.append(ReconnectionMonitor())
    let service = JsonWebService(
      session: context.wiring.session, reachability: context.wiring.reachability, configuration: configuration)
    defer { service.invalidateAndCancel() }
    let count = context.arguments.count
    let events = service.serverSentEvents(
      Request("events", query: ["count": "\(count)"]), reconnecting: ReconnectionPolicy(attemptLimit: 3, delay: 1))
    try await context.step("watching events") {
      // Another server may send events without end.
      for try await event in events.prefix(count) {
        let words = [event.id, event.event, event.data].filter { !$0.isEmpty }
        try context.show(
          Shown(id: event.id, event: event.event, data: event.data),
          [words.map(Wording.oneLine).joined(separator: " ")])
      }
    }
  }
}

/// Prints a line when an event stream loses its connection, and when it reconnects. Each connection is a request of its
/// own.
private final class ReconnectionMonitor: RequestMonitor {
  /// The number of connections so far.
  private let connections = Locked(0)

  func record(_ event: RequestEvent) {
    switch event.kind {
    case .sent:
      let number = connections.withLock { number in
        number += 1
        return number
      }
      if number > 1 { Console.note("Reconnecting.") }
    case .delivered(.failure(let error)) where [.sessionFailure, .timedOut].contains(error.kind):
      Console.note("The connection broke.")
    default: break
    }
  }
}
