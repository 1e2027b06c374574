import BenchmarkReport
import Testing

@Suite struct LatenciesTests {
  @Test func percentileIsRightToATwentieth() throws {
    var (first, second) = (Latencies(), Latencies())
    for index in 1...98 { first.add(Double(index) / 1000) }
    second.add(2)
    second.add(3)
    first.add(second)
    let median = try #require(first.within(share: 0.5))
    #expect(median >= 0.050 && median <= 0.0525)
    let slowest = try #require(first.within(share: 0.99))
    #expect(slowest >= 2 && slowest <= 2.1)
    #expect(Latencies().within(share: 0.99) == nil)
  }
}
