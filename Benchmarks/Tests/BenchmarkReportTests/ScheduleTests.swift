import BenchmarkReport
import Testing

@Suite struct ScheduleTests {
  @Test func contendersAlternate() throws {
    let speed = try #require(Workload.named("json-976-1"))
    let schedule = Schedule(workloads: [speed], contenders: ["a", "b", "c"], rounds: 2)
    #expect(schedule.entries.map(\.contender) == ["a", "b", "c", "b", "c", "a"])
    #expect(schedule.entries.map(\.round) == [0, 0, 0, 1, 1, 1])
  }

  @Test func growthIsMeasuredOnce() throws {
    let growth = try #require(Workload.named("growth"))
    #expect(Schedule(workloads: [growth], contenders: ["a", "b"], rounds: 5).entries.count == 2)
  }

  @Test func emptyScheduleHasNoTurns() {
    #expect(Schedule(workloads: Workload.all, contenders: [], rounds: 2).entries.isEmpty)
  }
}
