@testable import WebServicesTestSupport

@Suite struct RetryPolicyTests {
  private let now = Date(timeIntervalSince1970: 784_111_777)
  private let repeatable = TransportRequest(url: testURL("https://example.com/"))
  private let once = TransportBody.stream(PieceStream([], isReplayable: false))
  private let middle = RetryPolicy.RandomSource.fixed(0.5)

  private func response(_ statusCode: Int, _ headers: HTTPHeaders = [:]) -> Result<WebServiceResponse, TransportError> {
    .success(WebServiceResponse(statusCode: statusCode, headers: headers, url: testURL("https://example.com/")))
  }

  private func failure(_ kind: TransportError.Kind, reached: Bool = true) -> Result<WebServiceResponse, TransportError>
  {
    .failure(TransportError(kind, message: "", mayHaveReachedServer: reached))
  }

  private func decision(
    _ policy: RetryPolicy = .standard, after outcome: Result<WebServiceResponse, TransportError>, attempt: Int = 1,
    of request: TransportRequest? = nil, random: Double = 0.5
  ) -> TimeInterval? {
    policy.retry(after: outcome, attempt: attempt, of: request ?? repeatable, now: now, random: .fixed(random))?.delay
  }

  @Test func ruleDecidesBeforeTheSets() {
    let limit: TimeInterval = 60
    let decisions: [(RetryPolicy.Decision?, get: TimeInterval?, post: TimeInterval?)] = [
      (nil, 0.25, nil), (.stop, nil, nil), (.retry(), 0.25, nil), (.retry(wasNotApplied: true), 0.25, 0.25),
      (.retry(after: 7), 7, nil), (.retry(after: -1, wasNotApplied: true), 0, 0),
      (.retry(after: limit + 1, wasNotApplied: true), nil, nil), (.retry(after: .nan), nil, nil),
    ]
    for (decision, get, post) in decisions {
      let policy = RetryPolicy(retryAfterLimit: limit) { _, _ in decision }
      var request = repeatable
      expectEqual(self.decision(policy, after: response(503), of: request), get)
      request.options.isIdempotent = false
      expectEqual(self.decision(policy, after: response(503), of: request), post)
      expectEqual(self.decision(policy, after: response(503), attempt: 3, of: request), nil)
      request.body = once
      expectEqual(self.decision(policy, after: response(503), of: request), nil)
    }
    let eager = RetryPolicy { _, _ in .retry(wasNotApplied: true) }
    expectEqual(decision(eager, after: failure(.cancelled)), nil)
    expectEqual(decision(RetryPolicy { _, _ in nil }, after: response(404)), nil)
    #expect(decision(eager, after: response(404)) != nil)
  }

  @Test func temporaryStatusCodesAreRetried() {
    for code in 100...599 {
      let isRetried = decision(after: response(code)) != nil
      #expect(isRetried == [408, 429, 500, 502, 503, 504].contains(code), "\(code)")
    }
  }

  @Test func brokenConnectionsAndTimeoutsAreRetried() {
    let retried: [TransportError.Kind] = [
      .notConnected, .nameLookup, .cannotConnect, .connectionLost, .truncated, .timedOut(.connect), .timedOut(.idle),
      .timedOut(.whole),
    ]
    let others: [TransportError.Kind] = [
      .cancelled, .invalidated, .tls, .badFraming, .badEncoding, .tooLarge, .notHTTPResponse, .invalidRequest, .file,
      .other,
    ]
    for kind in retried { #expect(decision(after: failure(kind)) != nil, "\(kind)") }
    for kind in others { #expect(decision(after: failure(kind)) == nil, "\(kind)") }
    let eager = RetryPolicy(transportFailures: [.cancelled, .invalidated, .tls])
    expectEqual(decision(eager, after: failure(.cancelled)), nil)
    expectEqual(decision(eager, after: failure(.invalidated)), nil)
    #expect(decision(eager, after: failure(.tls)) != nil)
  }

  @Test func onlyIdempotentReplayableRequestsAreSentAgain() {
    let causes: [(Result<WebServiceResponse, TransportError>, hasReached: Bool)] = [
      (response(503), true), (response(429, ["Retry-After": "1"]), true), (response(408), true),
      (failure(.connectionLost), true), (failure(.timedOut(.idle)), true),
      (failure(.cannotConnect, reached: false), false), (failure(.connectionLost, reached: false), false),
    ]
    for (outcome, hasReached) in causes {
      for (isIdempotent, isReplayable) in [(false, false), (false, true), (true, false), (true, true)] {
        var request = repeatable
        request.options.isIdempotent = isIdempotent
        if !isReplayable { request.body = once }
        let isRetried = decision(after: outcome, of: request) != nil
        #expect(
          isRetried == (isReplayable && (isIdempotent || !hasReached)), "\(outcome) \(isIdempotent) \(isReplayable)")
      }
    }
  }

  @Test func idempotencyFollowsMethodKeyAndOption() {
    func isIdempotent(_ method: HTTPMethod, _ headers: HTTPHeaders = [:], _ declared: Bool? = nil) -> Bool {
      RequestOptions { $0.isIdempotent = declared }.isIdempotent(method, headers)
    }
    for method in [HTTPMethod.get, .head, .options, .put, .delete, HTTPMethod(rawValue: "TRACE")] {
      #expect(isIdempotent(method), "\(method)")
    }
    for method in [HTTPMethod.post, .patch, HTTPMethod(rawValue: "PURGE")] {
      #expect(!isIdempotent(method), "\(method)")
      #expect(isIdempotent(method, ["idempotency-key": "8e03978e"]))
      #expect(!isIdempotent(method, ["Idempotency-Key": ""]))
      #expect(!isIdempotent(method, ["Idempotency-Key": "8e03978e"], false))
      #expect(isIdempotent(method, [:], true))
    }
    #expect(!isIdempotent(.put, [:], false))
  }

  @Test func lastAttemptIsNotRetried() {
    #expect(decision(after: response(503), attempt: 2) != nil)
    for attempt in [3, .max] { expectEqual(decision(after: response(503), attempt: attempt), nil) }
    for policy in [RetryPolicy.none, RetryPolicy(attemptLimit: -4)] {
      expectEqual(decision(policy, after: response(503)), nil)
    }
  }

  @Test func backoffDoublesUpToItsLimit() {
    let policy = RetryPolicy(attemptLimit: .max, backoff: RetryPolicy.Backoff(base: 0.5, factor: 2, limit: 6))
    for (index, ceiling) in [0.5, 1, 2, 4, 6, 6, 6].enumerated() {
      expectEqual(decision(policy, after: response(500), attempt: index + 1, random: 0), 0)
      expectEqual(decision(policy, after: response(500), attempt: index + 1, random: 0.5), ceiling / 2)
    }
    expectEqual(policy.backoff.ceiling(retry: .max), 6)
    expectEqual(policy.backoff.ceiling(retry: -1), 0.5)
    expectEqual(RetryPolicy.Backoff(base: 0, factor: 1e300).ceiling(retry: 9), 0)
    expectEqual(RetryPolicy.Backoff(factor: 0.5).ceiling(retry: 3), 0.5)
    for limit in [-1, .nan, -.infinity] as [TimeInterval] {
      expectEqual(RetryPolicy.Backoff(limit: limit).ceiling(retry: 3), 0)
    }
    expectEqual(RetryPolicy.Backoff(limit: .infinity).ceiling(retry: 9), 128)
    expectEqual(RetryPolicy.Backoff(limit: .infinity).ceiling(retry: .max), TransportRequest.Timeouts.longest)
  }

  @Test(arguments: [-1, .nan, .infinity, -.infinity] as [Double])
  func invalidNumbersGiveNoDelay(number: Double) {
    for backoff in [RetryPolicy.Backoff(base: number), RetryPolicy.Backoff(base: number, limit: number)] {
      expectEqual(backoff.delay(retry: 3, random: middle), 0)
      expectEqual(RetryPolicy.Backoff(factor: number).delay(retry: 3, random: middle), 0.25)
      expectEqual(RetryPolicy.Backoff().delay(retry: 1, random: .fixed(number)), 0.25)
    }
  }

  @Test func retryAfterDelaysTheNextAttempt() {
    let date = HTTPDate.string(from: now.addingTimeInterval(10))
    // A tenth of a long delay exceeds the first maximum.
    let delays: [(String, random: Double, TimeInterval?)] = [
      ("7", 0, 7), ("2", 0.5, 2.25), ("50", 0.5, 52.5), ("soon", 0.5, 0.25), (date, 0, 10), ("60", 0, 60),
      ("61", 0, nil), ("99999999999999999999999", 0, nil), ("Fri, 31 Dec 9999 23:59:59 GMT", 0, nil),
    ]
    for (text, random, delay) in delays {
      let whole = response(503, ["Retry-After": text])
      let broken = TransferResult.failure(.sent(.truncated, "", response: whole.response))
      for outcome in [whole, broken] { expectEqual(decision(after: outcome, random: random), delay) }
    }
  }
}
