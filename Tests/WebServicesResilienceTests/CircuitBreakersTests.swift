import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesResilience

@Suite struct CircuitBreakersTests {
  private let clock = VirtualClock()

  private func breakers(hosts: Int = 1000) -> CircuitBreakers {
    CircuitBreakers(
      CircuitBreakerPolicy(minimumVolume: 2, maximumHosts: hosts), clock: clock,
      random: .fixed(0))
  }

  private func fail(_ host: String, _ breakers: CircuitBreakers) throws {
    for _ in 0..<2 { breakers.record(.failure, host: host, permit: try breakers.admit(host: host)) }
  }

  @Test func hostsAreIndependent() throws {
    let breakers = breakers()
    try fail("bad.example.com", breakers)
    #expect(throws: CircuitOpenError(host: "bad.example.com", retryAfter: 5)) {
      try breakers.admit(host: "bad.example.com")
    }
    #expect(throws: Never.self) { try breakers.admit(host: "good.example.com") }
    clock.advance(by: 5)
    breakers.record(.success, host: "bad.example.com", permit: try breakers.admit(host: "bad.example.com"))
    #expect(breakers.state(of: "bad.example.com") == .closed)
  }

  @Test func numberOfHostsIsBounded() throws {
    let breakers = breakers(hosts: 10)
    try fail("bad", breakers)
    for number in 0..<1000 {
      let host = "host \(number)"
      breakers.record(.success, host: host, permit: try breakers.admit(host: host))
      #expect(breakers.count <= 10)
      #expect(throws: CircuitOpenError.self) { try breakers.admit(host: "bad") }
    }
    clock.advance(by: 20)
    _ = try breakers.admit(host: "another")
    for number in 0..<1000 { try fail("bad \(number)", breakers) }
    #expect(breakers.count <= 10)
  }

  @Test func breakersAreSharedByThreads() async {
    let breakers = breakers()
    let admitted = Locked(0)
    await concurrently(2000) { index in
      guard let permit = try? breakers.admit(host: "h") else { return }
      admitted.withLock { $0 += 1 }
      breakers.record(.failure, host: "h", permit: permit)
    }
    // Four threads run at the same time, so each may have had a request in progress at the second failure.
    #expect((2...5).contains(admitted.withLock { $0 }))
    #expect(breakers.state(of: "h") == .open(until: 5))
  }
}
