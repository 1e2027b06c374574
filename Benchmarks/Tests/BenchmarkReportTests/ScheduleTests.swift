import BenchmarkReport
import Testing

@Suite struct ScheduleTests {
  private func name(_ identifier: String, _ scope: ContenderName.Scope = .all) -> ContenderName {
    ContenderName(identifier, title: identifier, family: .foundation, scope: scope)
  }

  @Test func contendersAlternate() throws {
    let speed = try #require(Workload.named("json-976-1"))
    let schedule = Schedule(workloads: [speed], contenders: [name("a"), name("b"), name("c")], rounds: 2)
    #expect(schedule.entries.map(\.contender) == ["a", "b", "c", "b", "c", "a"])
    #expect(schedule.entries.map(\.round) == [0, 0, 0, 1, 1, 1])
  }

  @Test func growthIsMeasuredOnce() throws {
    let growth = try #require(Workload.named("growth"))
    #expect(Schedule(workloads: [growth], contenders: [name("a"), name("b")], rounds: 5).entries.count == 2)
  }

  @Test func contendersRunWhatTheyCan() throws {
    let workloads = try ["json-976-1", "json-h2-1", "upload-1m"].map { try #require(Workload.named($0)) }
    let contenders = [name("all"), name("cleartext", .cleartext), name("fetches", .fetches)]
    let entries = Schedule(workloads: workloads, contenders: contenders, rounds: 1).entries
    func names(on workload: Workload) -> [String] {
      entries.filter { $0.workload == workload }.map(\.contender)
    }
    #expect(names(on: workloads[0]) == ["all", "cleartext", "fetches"])
    #expect(names(on: workloads[1]) == ["all", "fetches"])
    #expect(names(on: workloads[2]) == ["all", "cleartext"])
  }

  @Test func emptyScheduleHasNoTurns() {
    #expect(Schedule(workloads: Workload.all, contenders: [], rounds: 2).entries.isEmpty)
  }
}
