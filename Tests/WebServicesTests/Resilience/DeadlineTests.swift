import Testing

@testable import WebServices

@Suite("A deadline")
struct DeadlineTests {
  @Test("counts down to 0")
  func remaining() {
    let deadline = Deadline(after: 10, now: 100)
    #expect(deadline.remaining(at: 100) == 10)
    #expect(deadline.remaining(at: 109) == 1)
    #expect(deadline.remaining(at: 200) == 0)
    #expect(!deadline.hasPassed(at: 109.999))
    #expect(deadline.hasPassed(at: 110))
  }

  @Test("cuts timeouts to what is left, and allows no wait that reaches beyond it")
  func limits() {
    let deadline = Deadline(after: 10, now: 100)
    #expect(deadline.limiting(60, at: 104) == 6)
    #expect(deadline.limiting(2, at: 104) == 2)
    #expect(deadline.limiting(nil, at: 104) == 6)
    #expect(deadline.allows(waiting: 5.9, at: 104))
    #expect(!deadline.allows(waiting: 6, at: 104))
  }

  @Test("that there isn't never comes", arguments: [nil, .nan, .infinity] as [Double?])
  func never(seconds: Double?) {
    let deadline = Deadline(after: seconds, now: 5)
    #expect(deadline == .never)
    #expect(!deadline.hasPassed(at: 1e300))
    #expect(deadline.limiting(60, at: 5) == 60)
    #expect(deadline.limiting(nil, at: 5) == nil)
    #expect(deadline.allows(waiting: 1e9, at: 5))
  }

  @Test("in the past has passed")
  func past() {
    #expect(Deadline(after: -1, now: 5).hasPassed(at: 5))
    #expect(Deadline(after: -.infinity, now: 5).hasPassed(at: 5))
  }
}
