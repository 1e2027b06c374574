import BenchmarkReport
import Testing

@Suite struct StatisticsTests {
  @Test func medianIsTheMiddleOrTheMean() {
    #expect(Statistics.median([]) == nil)
    #expect(Statistics.median([3]) == 3)
    #expect(Statistics.median([9, 1, 5]) == 5)
    #expect(Statistics.median([4, 1, 3, 2]) == 2.5)
  }

  @Test func ratioIsTheMedianOfRatios() {
    #expect(Statistics.medianRatio([(2, 1), (9, 3), (8, 2)]) == 3)
    #expect(Statistics.medianRatio([(2, 0), (6, 3)]) == 2)
    #expect(Statistics.medianRatio([(2, 0)]) == nil)
  }

  @Test func spreadHasMinimumAndMaximum() {
    let spread = Spread([3, 1, 2])
    #expect(spread?.median == 2)
    #expect(spread?.least == 1)
    #expect(spread?.greatest == 3)
    #expect(Spread([]) == nil)
  }
}
