import Testing

import WebServices
@testable import WebServicesCore

@Suite struct DeadlineTests {
  @Test func remainingTimeCountsDownToZero() {
    let deadline = Deadline(after: 10, now: 100)
    #expect(deadline.remaining(at: 100) == 10)
    #expect(deadline.remaining(at: 109) == 1)
    #expect(deadline.remaining(at: 200) == 0)
    #expect(deadline.remaining(at: 110) == 0)
  }

  @Test func waitBeyondTheDeadlineIsRefused() {
    let deadline = Deadline(after: 10, now: 100)
    #expect(deadline.allows(waiting: 5.9, at: 104))
    #expect(!deadline.allows(waiting: 6, at: 104))
  }

  @Test(arguments: [nil, .nan, .infinity] as [Double?])
  func missingDeadlineNeverPasses(seconds: Double?) {
    let deadline = Deadline(after: seconds, now: 5)
    #expect(deadline == .never)
    #expect(deadline.remaining(at: 1e300) == .infinity)
    #expect(deadline.allows(waiting: 1e9, at: 5))
  }

  @Test func pastDeadlineHasPassed() {
    #expect(Deadline(after: -1, now: 5).remaining(at: 5) == 0)
    #expect(Deadline(after: -.infinity, now: 5).remaining(at: 5) == 0)
  }
}
