import Dispatch
import Foundation
import Testing
import WebServices
import WebServicesTesting

/// The model of most tests.
struct City: Codable, Hashable, Sendable {
  var name: String
}

/// A request with every part settable.
struct TestRequest: WebServiceRequestData {
  var path = "https://api.example.com/cities"
  var method = HTTPMethod.get
  var headers = HTTPHeaders()
  var queryItems: [URLQueryItem] = []
  var body: RequestBody?
  var authorization = WebServiceAuthorizationType.none
  var timeout: TimeInterval?
}

/// A service on a mock session and a virtual clock, with all that a test looks at.
struct Bench {
  let clock: VirtualClock
  let session: MockURLSession
  let reachability: FakeReachability
  let service: JsonWebService

  init(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(), clock: VirtualClock = VirtualClock(),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) {
    self.clock = clock
    session = MockURLSession(clock: clock)
    reachability = FakeReachability()
    var configuration = WebServiceConfiguration(clock: clock)
    configure(&configuration)
    service = JsonWebService(
      session: session, tokenManager: tokenManager, reachability: reachability, configuration: configuration)
  }

  /// Sends and waits for the one result.
  func result(
    of request: TestRequest, on queue: DispatchQueue = DispatchQueue(label: "test")
  ) async -> WebServiceResult<City> {
    await withCheckedContinuation { continuation in
      service.sendRequest(request, callbackQueue: queue) { (result: WebServiceResult<City>) in
        continuation.resume(returning: result)
      }
    }
  }

  /// Fails the test where anything of a request is left.
  func expectNothingLeft(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(service.requestCount == 0, sourceLocation: sourceLocation)
    #expect(session.openTaskCount == 0, sourceLocation: sourceLocation)
    #expect(clock.pendingTimerCount == 0, sourceLocation: sourceLocation)
  }
}

/// Gathers what handlers are given on whatever thread, and waits for a number of them.
final class Collector<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var elements: [Element] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  var elements: [Element] { state.withLock { $0.elements } }

  func append(_ element: Element) {
    let ready = state.withLock { state in
      state.elements.append(element)
      let ready = state.waiters.filter { $0.count <= state.elements.count }
      state.waiters.removeAll { $0.count <= state.elements.count }
      return ready
    }
    ready.forEach { $0.continuation.resume() }
  }

  func waitForElements(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.elements.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}

/// Numbers that look random and are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
