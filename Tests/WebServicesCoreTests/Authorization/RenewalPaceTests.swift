import Foundation
import Testing

import WebServices
@testable import WebServicesCore

@Suite struct RenewalPaceTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  @Test func failuresDoubleThePause() {
    var pace = RenewalPace()
    var pauses: [TimeInterval] = []
    for _ in 0..<9 {
      pace.failed(with: Failure(number: 0), now: 100)
      let end = (1...100).map { 100 + TimeInterval($0) }.first { pace.failure(now: $0) == nil }
      pauses.append((end ?? .infinity) - 100)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    #expect(RenewalPace.pause(after: .max) == 60)
    #expect(RenewalPace.pause(after: .min) == 1)
  }

  @Test func lastFailureIsReturnedDuringAPause() {
    var pace = RenewalPace()
    #expect(pace.failure(now: 0) == nil)
    pace.failed(with: Failure(number: 1), now: 0)
    pace.failed(with: Failure(number: 2), now: 0)
    #expect(pace.failure(now: 1.9) as? Failure == Failure(number: 2))
    pace.succeeded(afterRefusal: false, now: 1)
    #expect(pace.failure(now: 1) == nil)
    pace.failed(with: Failure(number: 3), now: 1)
    #expect(pace.failure(now: 2) == nil)
  }

  @Test func renewalsAfterRefusalsArePaced() {
    var pace = RenewalPace()
    #expect(!pace.isTooSoonAfterRefusal(now: 0))
    pace.succeeded(afterRefusal: true, now: 0)
    #expect(pace.isTooSoonAfterRefusal(now: 0.9))
    #expect(!pace.isTooSoonAfterRefusal(now: 1))
    pace.succeeded(afterRefusal: true, now: 1)
    #expect(pace.isTooSoonAfterRefusal(now: 2.9))
    #expect(!pace.isTooSoonAfterRefusal(now: 3))
    pace.succeeded(afterRefusal: true, now: 63)
    #expect(!pace.isTooSoonAfterRefusal(now: 64))
    pace.succeeded(afterRefusal: false, now: 64)
    #expect(!pace.isTooSoonAfterRefusal(now: 64))
  }
}
