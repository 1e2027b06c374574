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
    #expect(deadline.remaining(at: 110) == 0)
  }

  @Test("allows no wait that reaches beyond it")
  func limits() {
    let deadline = Deadline(after: 10, now: 100)
    #expect(deadline.allows(waiting: 5.9, at: 104))
    #expect(!deadline.allows(waiting: 6, at: 104))
  }

  @Test("that there isn't never comes", arguments: [nil, .nan, .infinity] as [Double?])
  func never(seconds: Double?) {
    let deadline = Deadline(after: seconds, now: 5)
    #expect(deadline == .never)
    #expect(deadline.remaining(at: 1e300) == .infinity)
    #expect(deadline.allows(waiting: 1e9, at: 5))
  }

  @Test("in the past has passed")
  func past() {
    #expect(Deadline(after: -1, now: 5).remaining(at: 5) == 0)
    #expect(Deadline(after: -.infinity, now: 5).remaining(at: 5) == 0)
  }
}
