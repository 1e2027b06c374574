import BenchmarkReport
import Testing

@Suite struct ProcessorTimesTests {
  @Test func waitingForADiskIsIdle() throws {
    let text = "cpu  10 20 30 400 500 1 2 3 9 9\ncpu0 10 20 30 400 500 1 2 3 9 9\n"
    #expect(try #require(ProcessorTimes(statistics: text)) == ProcessorTimes(busy: 66, idle: 900))
  }

  @Test func otherLinesAreRefused() {
    #expect(ProcessorTimes(statistics: "") == nil)
    #expect(ProcessorTimes(statistics: "cpu0 10 20 30 400 500 1 2 3") == nil)
    #expect(ProcessorTimes(statistics: "cpu 10 20 30") == nil)
  }

  @Test func shareIsThatOfTheTimeBetween() {
    let used = ProcessorTimes(busy: 130, idle: 910) - ProcessorTimes(busy: 100, idle: 900)
    #expect(used.shareInUse == 0.75)
    #expect((used - used).shareInUse == nil)
  }
}
