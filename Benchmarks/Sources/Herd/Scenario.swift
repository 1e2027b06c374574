/// What happens to the server, second by second, and how much it is asked.
package struct Scenario: Sendable {
  /// A stretch of time in which the server behaves in one way.
  package struct Phase: Sendable {
    package enum Server: Sendable {
      /// Does so many times the normal load.
      case serving(capacity: Double)
      /// Answers everything with 503 at once.
      case down
    }

    package var name: String
    /// In seconds.
    package var duration: Double
    package var server: Server
  }

  package var phases: [Phase]
  package var clients = 10_000
  /// What each of them sends, by chance and on average.
  package var requestsPerSecond = 10.0
  /// After how long a client gives an answer up, in seconds.
  package var timeout = 2.0
  /// How much work the server queues before it refuses more, in seconds of the normal load.
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

  /// When each phase begins and ends, in seconds.
  package var spans: [(phase: Phase, span: Range<Double>)] {
    var start = 0.0
    return phases.map { phase in
      defer { start += phase.duration }
      return (phase, start..<start + phase.duration)
    }
  }
}
