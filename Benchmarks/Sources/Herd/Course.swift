/// What a simulation saw.
package struct Course: Sendable {
  package struct Second: Hashable, Sendable {
    /// Requests that clients' programs wanted to make.
    package var wanted = 0
    /// Requests that came to the server.
    package var received = 0
    /// Requests that were answered well.
    package var succeeded = 0
  }

  package let behaviour: Behaviour
  package let scenario: Scenario
  package let seconds: [Second]

  init(behaviour: Behaviour, scenario: Scenario, seconds: some Sequence<Second>) {
    self.behaviour = behaviour
    self.scenario = scenario
    self.seconds = Array(seconds)
  }

  /// The requests at the server, second by second, in shares of the normal load.
  package var load: [Double] { seconds.map { Double($0.received) / scenario.normalLoad } }

  /// Of a phase: the mean load, the load of its worst second, and the share of what was wanted that succeeded.
  package func figures(of span: Range<Double>) -> (mean: Double, worst: Double, succeeded: Double) {
    let range = Int(span.lowerBound)..<min(Int(span.upperBound), seconds.count)
    let load = load[range]
    let wanted = seconds[range].map(\.wanted).reduce(0, +)
    let succeeded = seconds[range].map(\.succeeded).reduce(0, +)
    return (
      load.reduce(0, +) / Double(max(1, load.count)), load.max() ?? 0, Double(succeeded) / Double(max(1, wanted))
    )
  }
}
