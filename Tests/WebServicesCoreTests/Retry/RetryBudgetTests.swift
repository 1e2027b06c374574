@testable import WebServicesTestSupport

@Suite struct RetryBudgetTests {
  /// How many retries the budget still allows, up to 100.
  private func left(in budget: RetryPolicy.Budget) -> Int { (0..<100).prefix { _ in budget.withdraw() }.count }

  @Test func budgetBeginsWithItsBurst() {
    expectEqual(left(in: RetryPolicy.Budget(burst: 3)), 3)
    expectEqual(left(in: RetryPolicy.Budget()), 10)
  }

  @Test func tenSuccessesEarnARetry() {
    let budget = RetryPolicy.Budget(burst: 2)
    expectEqual(left(in: budget), 2)
    for _ in 0..<9 { budget.deposit() }
    #expect(!budget.withdraw())
    budget.deposit()
    expectEqual(left(in: budget), 1)
  }

  @Test func outageAllowsOnlyTheSavedRetries() {
    let budget = RetryPolicy.Budget(burst: 2)
    for _ in 0..<600 { budget.deposit() }
    expectEqual(left(in: budget), 2)
  }

  @Test(arguments: [-1, .nan, -.infinity] as [Double])
  func invalidNumbersAllowNoRetry(number: Double) {
    let budget = RetryPolicy.Budget(ratio: number, burst: number)
    for _ in 0..<100 { budget.deposit() }
    #expect(!budget.withdraw())
    let saved = RetryPolicy.Budget(ratio: number, burst: 1)
    saved.deposit()
    expectEqual(left(in: saved), 1)
    for _ in 0..<100 { saved.deposit() }
    #expect(!saved.withdraw())
  }

  @Test func successEarnsOneRetryAtMost() {
    let budget = RetryPolicy.Budget(ratio: 5, burst: 9)
    expectEqual(left(in: budget), 9)
    budget.deposit()
    expectEqual(left(in: budget), 1)
  }

  @Test func unlimitedBudgetNeverEnds() {
    expectEqual(left(in: .unlimited), 100)
  }

  @Test func eachRetryIsWithdrawnOnce() async {
    let budget = RetryPolicy.Budget()
    let granted = Locked(0)
    await concurrently(4000) { index in
      if index % 2 == 0 {
        budget.deposit()
      } else if budget.withdraw() {
        granted.withLock { $0 += 1 }
      }
    }
    while budget.withdraw() { granted.withLock { $0 += 1 } }
    #expect((10...210).contains(granted.withLock { $0 }))
  }
}
