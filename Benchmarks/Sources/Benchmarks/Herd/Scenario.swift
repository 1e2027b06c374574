/// The phases of a simulated server, and the load of its clients.
struct Scenario: Sendable {
  /// A period in which the server behaves in one way.
  struct Phase: Sendable {
    enum Server: Sendable {
      /// Processes this multiple of the normal load.
      case serving(capacity: Double)
      /// Responds to every request with 503 at once.
      case down
    }

    var name: String
    /// The duration in seconds.
    var duration: Double
    var server: Server
  }

  var phases: [Phase]
  var clients = 10_000
  /// The average number of requests per second of each client. The times are random.
  var requestsPerSecond = 10.0
  /// The time in seconds after which a client gives up.
  var timeout = 2.0
  /// The work that the server queues before it rejects more, in seconds of the normal load.
  var queue = 4.0
  var seed: UInt64 = 1

  static let standard = Scenario(phases: [
    Phase(name: "normal", duration: 20, server: .serving(capacity: 1.5)),
    Phase(name: "outage", duration: 40, server: .down),
    Phase(name: "recovery", duration: 30, server: .serving(capacity: 1.5)),
    Phase(name: "slow server", duration: 40, server: .serving(capacity: 0.5)),
    Phase(name: "second recovery", duration: 40, server: .serving(capacity: 1.5)),
  ])

  var normalLoad: Double { Double(clients) * requestsPerSecond }
  var duration: Double { phases.map(\.duration).reduce(0, +) }

  /// The start and the end of each phase, in seconds.
  var spans: [(phase: Phase, span: Range<Double>)] {
    var start = 0.0
    return phases.map { phase in
      defer { start += phase.duration }
      return (phase, start..<start + phase.duration)
    }
  }
}
