import BenchmarkReport
import Testing

@Suite("The order of the measurements")
struct ScheduleTests {
  @Test("Contenders alternate, and each round begins with another")
  func contendersAlternate() throws {
    let speed = try #require(Workload.named("json-976-1"))
    let schedule = Schedule(workloads: [speed], contenders: ["a", "b", "c"], rounds: 2)
    #expect(schedule.entries.map(\.contender) == ["a", "b", "c", "b", "c", "a"])
    #expect(schedule.entries.map(\.round) == [0, 0, 0, 1, 1, 1])
  }

  @Test("Growth is measured once")
  func growthIsMeasuredOnce() throws {
    let growth = try #require(Workload.named("growth"))
    #expect(Schedule(workloads: [growth], contenders: ["a", "b"], rounds: 5).entries.count == 2)
  }

  @Test("Nobody takes part")
  func emptyScheduleHasNoTurns() {
    #expect(Schedule(workloads: Workload.all, contenders: [], rounds: 2).entries.isEmpty)
  }
}
