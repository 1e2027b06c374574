/// Simulates many clients through an outage and a slow time of their server, with the library's policies and without.
enum Herd {
  /// - Returns: whether the policies spare the server, and recover without a rush.
  static func run(_ options: inout Options) throws -> Bool {
    try options.end()
    let scenario = Scenario.standard
    CSV.put(CSV.head)
    var isGood = true
    for behaviour in Behaviour.allCases {
      let seconds = Simulation.seconds(of: behaviour, in: scenario)
      for (phase, span) in scenario.spans {
        let part = seconds[Int(span.lowerBound)..<Int(span.upperBound)]
        let load = part.map { Double($0.received) / scenario.normalLoad }
        let (mean, worst) = (load.reduce(0, +) / phase.duration, load.max() ?? 0)
        let succeeded = Double(part.map(\.succeeded).reduce(0, +)) / Double(part.map(\.wanted).reduce(0, +))
        let table = "\(phase.name), \(Int(phase.duration)) s"
        CSV.write(table, behaviour.title, "mean load", mean)
        CSV.write(table, behaviour.title, "worst second", worst)
        CSV.write(table, behaviour.title, "succeeded, %", succeeded * 100)
        guard behaviour == .policies, !phase.allows(mean: mean, worst: worst, succeeded: succeeded) else { continue }
        CSV.note("Problem: the policies don't help in \(table).")
        isGood = false
      }
    }
    CSV.note(
      "\(scenario.clients) clients on a virtual clock send \(Int(scenario.requestsPerSecond)) requests a second each, at "
        + "random times. A load is relative to the normal one. Responses to requests of a phase before count too.")
    return isGood
  }
}

extension Scenario.Phase {
  fileprivate func allows(mean: Double, worst: Double, succeeded: Double) -> Bool {
    switch name {
    case "normal": abs(mean - 1) < 0.04 && succeeded > 0.99
    case "outage": mean < 0.5 && worst < 1.3
    case "slow server": worst < 1.6
    default: worst < 1.5 && succeeded > 0.8
    }
  }
}
