/// The phases of a simulated server, and the load of its clients.
package struct Scenario: Sendable {
  /// A period in which the server behaves in one way.
  package struct Phase: Sendable {
    package enum Server: Sendable {
      /// Processes this multiple of the normal load.
      case serving(capacity: Double)
      /// Responds to every request with 503 at once.
      case down
    }

    package var name: String
    /// The duration in seconds.
    package var duration: Double
    package var server: Server
  }

  package var phases: [Phase]
  package var clients = 10_000
  /// The average number of requests per second of each client. The times are random.
  package var requestsPerSecond = 10.0
  /// The time in seconds after which a client gives up.
  package var timeout = 2.0
  /// The work that the server queues before it rejects more, in seconds of the normal load.
  package var queue = 4.0
  package var seed: UInt64 = 1

  package static let standard = Scenario(phases: [
    Phase(name: "normal", duration: 20, server: .serving(capacity: 1.5)),
    Phase(name: "outage", duration: 40, server: .down),
    Phase(name: "recovery", duration: 30, server: .serving(capacity: 1.5)),
    Phase(name: "slow server", duration: 40, server: .serving(capacity: 0.5)),
    Phase(name: "second recovery", duration: 40, server: .serving(capacity: 1.5)),
  ])

  package var normalLoad: Double { Double(clients) * requestsPerSecond }
  package var duration: Double { phases.map(\.duration).reduce(0, +) }

  /// The start and the end of each phase, in seconds.
  package var spans: [(phase: Phase, span: Range<Double>)] {
    var start = 0.0
    return phases.map { phase in
      defer { start += phase.duration }
      return (phase, start..<start + phase.duration)
    }
  }
}
