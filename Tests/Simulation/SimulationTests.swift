import Foundation
import Testing

/// Runs the simulation for some seconds. `Benchmarks/Simulate` runs it optimized and for longer.
struct SimulationTests {
  @Test(.timeLimit(.minutes(3))) func simulatedWorldBreaksNoPromise() async {
    let seed = ProcessInfo.processInfo.environment["WEBSERVICES_SIMULATION_SEED"].flatMap(UInt64.init)
    let findings = await Simulation.search(from: seed ?? 1, plans: seed == nil ? .max : 1, seconds: 10)
    for (_, found) in findings.kinds { Issue.record("\(found.count) of \(findings.plans) plans:\n\(found.story)") }
  }
}
