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
    let count = context.arguments.count
    var configuration = context.configuration
    configuration.monitors.append(ReconnectionMonitor(note: Console.note))
    let service = JsonWebService(
      session: context.wiring.session, reachability: context.wiring.reachability, configuration: configuration)
    defer { service.invalidateAndCancel() }
    let events = service.serverSentEvents(
      RequestDataForEvents(count: count), reconnecting: ReconnectionPolicy(maximumAttempts: 3, delay: 1))
    do {
      try await show(events, upTo: count, context)
    } catch {
      context.spinner.stop()
      throw context.failure("watching events", other: error)
    }
  }

  private static func show(
    _ events: ServerSentEventStream, upTo count: Int, _ context: CommandContext
  ) async throws {
    var seen = 0
    context.spinner.start("Waiting for events")
    defer { context.spinner.stop() }
    for try await event in events {
      context.spinner.stop()
      seen += 1
      try show(event, asJSON: context.arguments.printsJSON)
      // Another server may send events without end.
      guard seen < count else { break }
      context.spinner.start("Waiting for events")
    }
    context.spinner.stop()
    guard seen < count, !context.arguments.printsJSON else { return }
    Console.result("The server has no more events.")
  }

  private static func show(_ event: ServerSentEvent, asJSON: Bool) throws {
    if asJSON {
      Console.data(try JSONText.of(Shown(id: event.id, event: event.event, data: event.data)))
    } else {
      let words = [event.id, event.event, event.data].filter { !$0.isEmpty }
      Console.result(words.map(Wording.oneLine).joined(separator: " "))
    }
  }
}

/// Prints a line when an event stream loses its connection, and when it reconnects. Each connection is a request of its
/// own.
final class ReconnectionMonitor: RequestMonitor {
  /// The number of connections so far.
  private let connections = Locked(0)
  private let note: @Sendable (String) -> Void

  init(note: @escaping @Sendable (String) -> Void) {
    self.note = note
  }

  func record(_ event: RequestEvent) {
    switch event.kind {
    case .sent:
      let number = connections.withLock { number in
        number += 1
        return number
      }
      if number > 1 { note("Reconnecting.") }
    case .delivered(.failure): note("The connection broke.")
    default: break
    }
  }
}
