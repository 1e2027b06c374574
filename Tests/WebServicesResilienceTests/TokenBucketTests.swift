@testable import WebServicesTestSupport

@Suite struct TokenBucketTests {
  @Test func burstAndRateHoldInAnyWindow() {
    for seed in 0..<20 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let rate = Double.random(in: 0.5...200, using: &generator)
      let burst = Int.random(in: 1...20, using: &generator)
      var bucket = TokenBucket(RequestLimits.Rate(requestsPerSecond: rate, burst: burst))
      var now = Double.random(in: 0...1e9, using: &generator)
      var taken: [TimeInterval] = []
      for _ in 0..<3000 {
        now += Double.random(in: 0...(2 / rate), using: &generator) * Double.random(in: 0...1, using: &generator)
        let wait = bucket.take(now: now)
        if wait == 0 { taken.append(now) } else if Bool.random(using: &generator) { now += wait }
      }
      for (first, start) in taken.enumerated() {
        guard first + burst < taken.count else { break }
        // One request more than the burst needs the time of one permit.
        let span = taken[first + burst] - start
        #expect(span >= 1 / rate - 3e-6, "seed \(seed)")
      }
    }
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e300, 1e-300] as [Double])
  func invalidRatesNeitherBlockNorOverflow(rate: Double) {
    for burst in [Int.min, 0, 1, .max] {
      var bucket = TokenBucket(RequestLimits.Rate(requestsPerSecond: rate, burst: burst))
      expectEqual(bucket.take(now: 0), 0)
      #expect(bucket.take(now: 0) <= 1000)
    }
  }
}
