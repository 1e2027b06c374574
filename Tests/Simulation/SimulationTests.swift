import Foundation
import Testing

/// Runs the simulation for some seconds. The benchmark package has a command for many minutes.
struct SimulationTests {
  @Test(.timeLimit(.minutes(2))) func simulatedWorldBreaksNoPromise() async {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["WEBSERVICES_SIMULATION_SEED"].flatMap(UInt64.init)
    let (failures, plans) = await Simulation.search(from: seed ?? 1, plans: seed == nil ? .max : 1, seconds: 10)
    for failure in failures {
      Issue.record("\(Simulation.shortened(failure))")
    }
    #expect(plans > 0)
  }
}
