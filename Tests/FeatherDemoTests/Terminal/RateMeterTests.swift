import Testing

@testable import FeatherDemo

@Suite struct RateMeterTests {
  @Test func rateIsUnknownAtTheStart() {
    var meter = RateMeter(start: 100)
    #expect(meter.rate == nil)
    meter.update(bytes: 5_000, at: 100.01)
    #expect(meter.rate == nil)
  }

  @Test func steadyStreamHasAConstantRate() throws {
    var meter = RateMeter(start: 0)
    for tenth in 1...50 {
      meter.update(bytes: Int64(tenth) * 100, at: Double(tenth) / 10)
      #expect(abs(try #require(meter.rate) - 1_000) < 0.001)
    }
  }

  @Test func pauseLowersTheRateSlowly() throws {
    var meter = RateMeter(start: 0)
    for tenth in 1...50 { meter.update(bytes: Int64(tenth) * 100, at: Double(tenth) / 10) }
    meter.update(bytes: 5_000, at: 5.1)
    let soon = try #require(meter.rate)
    #expect(soon < 1_000 && soon > 900)
    for tenth in 52...250 { meter.update(bytes: 5_000, at: Double(tenth) / 10) }
    #expect(try #require(meter.rate) < 1)
  }

  @Test func rateIsNeverNegative() throws {
    var meter = RateMeter(start: 0)
    meter.update(bytes: 1_000, at: 1)
    meter.update(bytes: 0, at: 2)
    meter.update(bytes: .min, at: 3)
    meter.update(bytes: .max, at: 4)
    #expect(try #require(meter.rate) >= 0)
  }
}
