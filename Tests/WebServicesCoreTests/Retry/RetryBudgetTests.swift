import Foundation
import Testing
@testable import WebServicesTestSupport

import WebServices
@testable import WebServicesCore

@Suite struct RetryBudgetTests {
  @Test func budgetBeginsWithItsBurst() {
    var budget = RetryBudget.State(RetryBudget.Policy(ratio: 0.1, burst: 3, window: 1))
    let responses = (0..<5).map { _ in budget.withdraw(now: 0) }
    #expect(responses == [true, true, true, false, false])
  }

  @Test func tenSuccessesEarnARetry() {
    var budget = RetryBudget.State(.standard)
    for _ in 0..<2 { #expect(budget.withdraw(now: 0) == true) }
    for _ in 0..<9 { budget.deposit(now: 0) }
    #expect(budget.withdraw(now: 0) == false)
    budget.deposit(now: 0)
    #expect(budget.withdraw(now: 0) == true)
    #expect(budget.withdraw(now: 0) == false)
  }

  @Test func fewRequestsAllowThreeAttempts() {
    var fresh = RetryBudget.State(.standard)
    #expect((0..<3).map { _ in fresh.withdraw(now: 0) } == [true, true, false])
    var quiet = RetryBudget.State(.standard)
    for second in 0..<60 { quiet.deposit(now: Double(second)) }
    #expect((0..<3).map { _ in quiet.withdraw(now: 60) } == [true, true, false])
    var busy = RetryBudget.State(.standard)
    for step in 0..<600 { busy.deposit(now: Double(step) / 10) }
    #expect((0..<3).map { _ in busy.withdraw(now: 60) } == [true, false, false])
  }

  @Test(arguments: [-1, .nan, 1] as [Double])
  func invalidIdleBurstIsTheBurst(number: Double) {
    var budget = RetryBudget.State(RetryBudget.Policy(ratio: 0.1, burst: 2, window: 1, idleBurst: number))
    #expect((0..<3).map { _ in budget.withdraw(now: 0) } == [true, true, false])
  }

  @Test func balanceFollowsRecentTraffic() {
    var budget = RetryBudget.State(.standard)
    for step in 0..<10_000 { budget.deposit(now: Double(step) / 1000) }
    #expect((90...101).contains(budget.balance))
    var later = budget
    #expect(later.withdraw(now: 12) == true)
    #expect(later.balance < 15)
    // The budget of a service that sends few requests.
    #expect((0..<3).map { _ in later.withdraw(now: 100) } == [true, true, false])
  }

  @Test func retriesStayBelowATenthOfSuccesses() {
    for seed in 0..<20 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let burst = Double.random(in: 0...5, using: &generator)
      var budget = RetryBudget.State(RetryBudget.Policy(ratio: 0.1, burst: burst, window: 1))
      var time = 0.0
      // The maximum by which retries have exceeded a tenth of the successes since any earlier time.
      var ahead = 0.0
      var savedUp = burst
      for _ in 0..<20_000 {
        time += Double.random(in: 0...0.02, using: &generator)
        if Bool.random(using: &generator) {
          budget.deposit(now: time)
          ahead = max(0, ahead - 0.1)
        } else if budget.withdraw(now: time) {
          ahead += 1
        }
        savedUp = max(savedUp, budget.balance)
        #expect(budget.balance >= 0)
      }
      #expect(ahead <= savedUp + 1e-6)
      // A second contains at most 100 successes here, and the fading count less than twice as many.
      #expect(savedUp <= max(burst, 20))
    }
  }

  @Test func outageAllowsOnlyTheSavedRetries() {
    var budget = RetryBudget.State(.standard)
    for step in 0..<600 { budget.deposit(now: Double(step) / 10) }
    let retries = (600..<100_000).filter { budget.withdraw(now: Double($0) / 10) }.count
    #expect(retries == 1)
  }

  @Test(arguments: [-1, .nan, -.infinity] as [Double])
  func invalidNumbersAllowNoRetry(number: Double) {
    var budget = RetryBudget.State(RetryBudget.Policy(ratio: number, burst: number, window: number))
    for _ in 0..<100 { budget.deposit(now: 0) }
    #expect(budget.withdraw(now: 0) == false)
  }

  @Test func unlimitedBudgetNeverEnds() {
    let budget = RetryBudget(.unlimited)
    #expect((0..<1000).allSatisfy { _ in budget.withdraw(now: 0) })
  }

  @Test func eachRetryIsWithdrawnOnce() async {
    let budget = RetryBudget(RetryBudget.Policy(ratio: 0.1, burst: 10, window: 1))
    let granted = Locked(0)
    await concurrently(4000) { index in
      if index % 2 == 0 {
        budget.deposit(now: 0)
      } else if budget.withdraw(now: 0) {
        granted.withLock { $0 += 1 }
      }
    }
    while budget.withdraw(now: 0) { granted.withLock { $0 += 1 } }
    #expect((10...210).contains(granted.withLock { $0 }))
  }
}
