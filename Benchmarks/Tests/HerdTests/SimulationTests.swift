import Herd
import Testing

@Suite struct SimulationTests {
  private static let scenario = {
    var scenario = Scenario.standard
    scenario.clients = 150
    return scenario
  }()

  private func figures(_ course: Course, _ name: String) throws -> (mean: Double, worst: Double, succeeded: Double) {
    let span = try #require(Self.scenario.spans.first { $0.phase.name == name }).span
    return course.figures(of: span)
  }

  @Test func policiesSpareTheServerAndRecoverWithoutRush() throws {
    let course = Simulation.course(of: .policies, in: Self.scenario)
    let outage = try figures(course, "outage")
    #expect(outage.mean < 0.5)
    // The 150 clients send 1,500 requests a second, within 3% by chance.
    #expect(outage.worst < 1.2)
    #expect(try figures(course, "slow server").worst < 1.5)
    for name in ["recovery", "second recovery"] {
      let recovery = try figures(course, name)
      #expect(recovery.worst < 1.5)
      #expect(recovery.succeeded > 0.8)
    }
  }

  @Test func immediateRetriesMultiplyTheLoad() throws {
    let course = Simulation.course(of: .naive, in: Self.scenario)
    #expect(try figures(course, "outage").mean > 3.5)
    #expect(try figures(course, "second recovery").succeeded < 0.5)
  }

  @Test func policiesChangeNothingWithoutFailures() throws {
    for behaviour in Behaviour.allCases {
      let figures = try figures(Simulation.course(of: behaviour, in: Self.scenario), "normal")
      #expect(abs(figures.mean - 1) < 0.04)
      #expect(figures.succeeded > 0.99)
    }
  }

  @Test func simulationIsRepeatable() {
    let first = Simulation.course(of: .policies, in: Self.scenario)
    #expect(Simulation.course(of: .policies, in: Self.scenario).seconds == first.seconds)
  }
}
