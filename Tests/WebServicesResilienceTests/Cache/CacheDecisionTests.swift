@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct CacheDecisionTests {
  /// The decision in one word.
  enum Word: Equatable {
    case miss, fresh, background, revalidate, gatewayTimeout
  }

  private func decide(
    _ stored: [CachedResponse], _ headers: HTTPHeaders = HTTPHeaders(), policy: ResponseCache.Policy = .useCache,
    rules: ResponseCache.Rules = ResponseCache.Rules(), after seconds: TimeInterval
  ) -> CachePlan {
    var plan = CachePlan(
      cityRequest(headers: headers), identity: nil, policy: policy, time: WallClock.start.addingTimeInterval(seconds))
    plan.decide(rules) { _ in stored }
    return plan
  }

  private func word(_ decision: CachePlan) -> Word {
    guard decision.isSent else { return decision.candidate == nil ? .gatewayTimeout : .fresh }
    guard decision.candidate != nil else { return .miss }
    return decision.isDelivered ? .background : .revalidate
  }

  /// The decision for a stored response with this `Cache-Control` and an entity tag.
  private func word(
    _ control: String, _ wish: String? = nil, policy: ResponseCache.Policy = .useCache, after seconds: TimeInterval
  ) -> Word {
    let stored = cachedResponse(["Cache-Control": control, "ETag": "\"1\""])
    let headers: HTTPHeaders = wish.map { ["Cache-Control": $0] } ?? [:]
    return word(decide([stored], headers, policy: policy, after: seconds))
  }

  @Test func nothingStoredMeansAMiss() {
    expectEqual(word(decide([], after: 0)), .miss)
    expectEqual(word(decide([], policy: .onlyIfCached, after: 0)), .gatewayTimeout)
  }

  @Test(
    arguments: [
      ("max-age=60", 0, .fresh), ("max-age=60", 59.9, .fresh), ("max-age=60", 60, .revalidate),
      ("max-age=0", 0, .revalidate), ("no-cache, max-age=60", 0, .revalidate),
      ("max-age=10, max-age=3600", 11, .revalidate), ("no-cache=\"\", max-age=60", 0, .revalidate),
      ("no-cache=\"Set-Cookie\", max-age=60", 0, .fresh), ("must-revalidate, max-age=60", 59, .fresh),
      ("must-revalidate, max-age=60", 61, .revalidate), ("private, max-age=60", 59, .fresh),
      ("public, max-age=60", 61, .revalidate), ("s-maxage=60", 1, .revalidate), ("max-age=oops", 0, .revalidate),
      ("max-age=60, stale-while-revalidate=30", 59, .fresh), ("max-age=60, stale-while-revalidate=30", 90, .background),
      ("max-age=60, stale-while-revalidate=30", 91, .revalidate),
      ("max-age=60, stale-while-revalidate=30, must-revalidate", 70, .revalidate),
      ("max-age=60, stale-while-revalidate=30, no-cache", 70, .revalidate),
      ("max-age=60, stale-while-revalidate=0", 60, .revalidate),
    ] as [(String, TimeInterval, Word)])
  func responseDirectivesDecide(control: String, seconds: TimeInterval, expected: Word) {
    expectEqual(word(control, after: seconds), expected)
  }

  @Test(
    arguments: [
      ("max-age=60", "max-age=30", 30, .fresh), ("max-age=60", "max-age=30", 31, .revalidate),
      ("max-age=60", "max-age=0", 1, .revalidate), ("max-age=60", "max-age=90", 61, .revalidate),
      ("max-age=60", "min-fresh=10", 50, .fresh), ("max-age=60", "min-fresh=10", 51, .revalidate),
      ("max-age=60", "max-stale", 100_000, .fresh), ("max-age=60", "max-stale=10", 70, .fresh),
      ("max-age=60", "max-stale=10", 71, .revalidate), ("max-age=60", "max-stale=oops", 61, .revalidate),
      ("max-age=60, must-revalidate", "max-stale", 61, .revalidate),
      ("max-age=60, no-cache", "max-stale", 1, .revalidate), ("max-age=60", "max-age=65, max-stale=10", 65, .fresh),
      ("max-age=60", "max-age=65, max-stale=10", 66, .revalidate),
      ("max-age=60", "max-stale=100, min-fresh=5", 61, .revalidate), ("max-age=60", "no-cache", 1, .revalidate),
      ("max-age=60", "no-store", 1, .miss), ("max-age=60", "only-if-cached", 59, .fresh),
      ("max-age=60", "only-if-cached", 61, .gatewayTimeout), ("max-age=60", "only-if-cached, max-stale", 61, .fresh),
      ("max-age=60", "only-if-cached, no-cache", 1, .gatewayTimeout),
      ("max-age=60, stale-while-revalidate=60", "max-age=100", 61, .revalidate),
      ("max-age=60, stale-while-revalidate=60", "no-cache", 61, .revalidate),
      ("max-age=60, stale-while-revalidate=60", "unknown=1", 61, .background),
    ] as [(String, String, TimeInterval, Word)])
  func requestDirectivesDecide(control: String, wish: String, seconds: TimeInterval, expected: Word) {
    expectEqual(word(control, wish, after: seconds), expected)
  }

  @Test(
    arguments: [
      (.useCache, "max-age=60", 1, .fresh), (.reload, "max-age=60", 1, .miss), (.noStore, "max-age=60", 1, .miss),
      (.revalidate, "max-age=60", 1, .revalidate), (.revalidate, "max-age=60, immutable", 59, .fresh),
      (.revalidate, "max-age=60, immutable", 61, .revalidate), (.onlyIfCached, "max-age=60", 59, .fresh),
      (.onlyIfCached, "max-age=60", 61, .gatewayTimeout),
      (.onlyIfCached, "max-age=60, stale-while-revalidate=60", 61, .gatewayTimeout),
    ] as [(ResponseCache.Policy, String, TimeInterval, Word)])
  func policiesDecide(policy: ResponseCache.Policy, control: String, seconds: TimeInterval, expected: Word) {
    expectEqual(word(control, policy: policy, after: seconds), expected)
    // A stale response counts as immutable no more, whatever the request allows.
    expectEqual(word("max-age=60, immutable", "max-stale", policy: .revalidate, after: 61), .revalidate)
  }

  @Test func pragmaCountsOnlyWithoutCacheControl() {
    let stored = [cachedResponse(["Cache-Control": "max-age=60", "ETag": "\"1\""])]
    expectEqual(word(decide(stored, ["Pragma": "no-cache"], after: 1)), .revalidate)
    expectEqual(word(decide(stored, ["Pragma": "no-cache", "Cache-Control": "max-age=9"], after: 1)), .fresh)
  }

  @Test func revalidationUsesTheStoredValidators() {
    let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
    func conditions(_ headers: HTTPHeaders) -> HTTPHeaders? {
      var headers = headers
      headers["Cache-Control"] = "max-age=0, stale-if-error=60"
      return decide([cachedResponse(headers)], after: 1).candidate?.facts.conditions
    }
    #expect(
      conditions(["ETag": "W/\"1\"", "Last-Modified": modified])
        == ["If-None-Match": "W/\"1\"", "If-Modified-Since": modified])
    expectEqual(conditions(["ETag": "\"1\""]), ["If-None-Match": "\"1\""])
    expectEqual(conditions(["Last-Modified": modified]), ["If-Modified-Since": modified])
    expectEqual(conditions(["ETag": "no tag", "Last-Modified": "no date"]), [:])
    expectEqual(word(decide([cachedResponse(["Cache-Control": "max-age=0"])], after: 1)), .miss)
  }

  @Test(
    arguments: [
      ("max-age=60", nil, 0, nil), ("max-age=60, stale-if-error=100", nil, 0, 160),
      ("max-age=60", "stale-if-error=50", 0, 110), ("max-age=60, stale-if-error=100", "stale-if-error=50", 0, 160),
      ("max-age=60", nil, 30, 90), ("max-age=60, stale-if-error=5", nil, 30, 65),
      ("max-age=60, stale-if-error=0", nil, 30, nil), ("max-age=60, stale-if-error=100, must-revalidate", nil, 30, nil),
      ("max-age=60, stale-if-error=100, no-cache", nil, 30, nil),
      ("max-age=60, stale-if-error=100", "no-cache", 30, nil), ("max-age=60, stale-if-error=1", nil, 0, nil),
    ] as [(String, String?, TimeInterval, TimeInterval?)])
  func staleIfErrorIsLimitedInTime(control: String, wish: String?, byRule: TimeInterval, expected: TimeInterval?) {
    let stored = cachedResponse(["Cache-Control": control, "ETag": "\"1\""])
    let headers: HTTPHeaders = wish.map { ["Cache-Control": $0] } ?? [:]
    let decision = decide([stored], headers, rules: ResponseCache.Rules(staleIfError: byRule), after: 62)
    expectEqual(word(decision), .revalidate)
    expectEqual(decision.usableOnErrorUntil, expected.map { WallClock.start.addingTimeInterval($0) })
  }

  @Test func freshResponseIsNoStandInWithoutStaleIfError() {
    for (control, isUsable) in [("max-age=60", false), ("max-age=60, stale-if-error=1", true)] {
      let stored = cachedResponse(["Cache-Control": control, "ETag": "\"1\""])
      let decision = decide([stored], ["Cache-Control": "max-age=10"], after: 30)
      expectEqual(decision.usableOnErrorUntil != nil, isUsable)
    }
  }

  @Test(
    arguments: [
      ("Accept", ["Accept": "a"], ["Accept": "a"], true), ("Accept", ["Accept": "a"], ["Accept": "b"], false),
      ("Accept", ["Accept": "a"], [:], false), ("Accept", [:], [:], true), ("Accept", [:], ["Accept": ""], false),
      ("Accept", ["Accept": "a"], ["Accept": "a", "X": "y"], true),
      ("accept, x", ["Accept": "a", "X": "1"], ["X": "1", "ACCEPT": "a"], true),
      ("accept, x", ["Accept": "a", "X": "1"], ["X": "2", "ACCEPT": "a"], false),
      ("Accept", ["Accept": "a, b"], ["Accept": "a ,b"], true),
      ("Accept", ["Accept": "a, b"], ["Accept": "a", "accept": "b"], true),
      ("Accept", ["Accept": "a, b"], ["Accept": "b, a"], false), ("Accept", ["Accept": "a"], ["Accept": "A"], false),
      ("*", [:], [:], false), ("Accept, *", ["Accept": "a"], ["Accept": "a"], false),
      ("", ["X": "1"], ["X": "2"], true),
    ] as [(String, HTTPHeaders, HTTPHeaders, Bool)])
  func varyComparesTheRequestsFields(names: String, first: HTTPHeaders, second: HTTPHeaders, isMatch: Bool) {
    let stored = [cachedResponse(["Cache-Control": "max-age=60", "Vary": names], request: first)]
    expectEqual(word(decide(stored, second, after: 1)), (isMatch ? .fresh : .miss))
  }

  @Test func newestMatchingResponseIsUsed() {
    func stored(_ offset: TimeInterval, _ body: String) -> CachedResponse {
      let date = HTTPDate.string(from: WallClock.start.addingTimeInterval(offset))
      return cachedResponse(["Cache-Control": "max-age=600", "Date": date], body: body)
    }
    let all = [stored(-30, "old"), stored(-10, "new"), stored(-20, "middle")]
    let decision = decide(all, after: 1)
    expectEqual(word(decision), .fresh)
    expectEqual(decision.candidate?.response.text, "new")
  }

  @Test func clockTurnedBackForcesRevalidation() {
    for (control, wish) in [
      ("max-age=60", nil), ("max-age=60", "max-stale"), ("max-age=60, stale-while-revalidate=60", nil),
    ] {
      expectEqual(word(control, wish, after: -3600), .revalidate)
    }
  }
}
