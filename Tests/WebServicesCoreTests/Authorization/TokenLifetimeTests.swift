@testable import WebServicesTestSupport

@Suite struct TokenLifetimeTests {
  private static let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

  @Test(
    arguments: [
      (100, 100), (-1, 0), (-1e300, 0), (.nan, 0), (-.infinity, 0), (1e300, TokenLifetime.longest),
      (.infinity, TokenLifetime.longest),
    ] as [(TimeInterval, TimeInterval)])
  func storedExpiryIsClamped(expiresIn: TimeInterval, remaining: TimeInterval) {
    let stored = StoredToken(apiToken: "a", expiresAt: Self.now.addingTimeInterval(expiresIn))
    // Foundation's own description traps on Linux if a date isn't a number.
    #expect("\(stored)".hasSuffix("GMT)"))
    let manager = BasicAuthManager(
      storage: InMemoryTokenStorage(stored), clock: VirtualClock(now: 7), wallClock: { Self.now })
    expectEqual(manager.secondsRemaining, remaining)
  }

  @Test(arguments: [1e9, -1e9, .nan])
  func wallClockJumpDoesNotChangeToken(by seconds: TimeInterval) {
    let offset = Locked<TimeInterval>(0)
    let (clock, storage) = (VirtualClock(now: 7), InMemoryTokenStorage())
    let manager = BasicAuthManager(storage: storage, clock: clock) {
      Self.now.addingTimeInterval(offset.withLock { $0 })
    }
    manager.update(apiToken: "a", secondsRemaining: 600)
    expectEqual(storage.load()?.expiresAt, Self.now.addingTimeInterval(600))
    offset.withLock { $0 = seconds }
    clock.advance(by: 540)
    expectEqual(manager.secondsRemaining, 60)
    #expect(!manager.isSessionExpired)
    clock.advance(by: 1)
    #expect(manager.isSessionExpired)
  }

  @Test func clockOfAnyTimeEndsNoProcess() {
    let clock = VirtualClock()
    let manager = BasicAuthManager(clock: clock)
    manager.update(apiToken: "a", secondsRemaining: 600)
    clock.advance(by: .infinity)
    expectEqual(manager.authenticationInfo?.secondsRemaining, 0)
  }

  /// An empty token is valid for no time.
  @Test(
    arguments: [("a", Int.max, TokenLifetime.longest), ("a", Int.min, 0), ("a", -1, 0), ("a", 0, 0), ("", 600, 0)]
      as [(String, Int, TimeInterval)])
  func givenLifetimeIsClamped(token: String, secondsRemaining: Int, remaining: TimeInterval) {
    let manager = BasicAuthManager(clock: VirtualClock(now: 7))
    #expect(manager.update(apiToken: token, secondsRemaining: secondsRemaining))
    expectEqual(manager.secondsRemaining, remaining)
  }
}
