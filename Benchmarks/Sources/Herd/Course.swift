/// The observations of a simulation.
package struct Course: Sendable {
  /// The requests of one second of the simulation.
  package struct Second: Hashable, Sendable {
    /// The requests that the clients' programs wanted to send.
    package var wanted = 0
    /// The requests that the server received.
    package var received = 0
    /// The requests that succeeded.
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

  /// The requests at the server per second, as multiples of the normal load.
  package var load: [Double] { seconds.map { Double($0.received) / scenario.normalLoad } }

  /// The mean load of a phase, the load of its worst second, and the share of wanted requests that succeeded.
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
