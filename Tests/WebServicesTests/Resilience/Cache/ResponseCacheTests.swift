import Foundation
import Testing
import WebServicesTesting

@testable import WebServices

@Suite("A response cache")
struct ResponseCacheTests {
  private let bench = CacheBench()
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  @Test("answers from what is stored while it is fresh, with its age")
  func hit() {
    let first = bench.exchange(bench.response(200, tagged))
    #expect(first.headers["Age"] == nil)
    bench.advance(by: 12.7)
    let plan = bench.plan()
    #expect(plan.sent == nil)
    #expect(plan.delivered?.text == "Rome")
    #expect(plan.delivered?.statusCode == 200)
    #expect(plan.delivered?.url == CacheBench.url)
    #expect(plan.delivered?.headers["ETag"] == "\"1\"")
    #expect(plan.delivered?.headers.values(for: "Age") == ["12"])
    #expect(bench.cache.statistics.hits == 1)
    #expect(bench.cache.statistics.misses == 1)
    #expect(bench.cache.statistics.stores == 1)
  }

  @Test("puts one Age in place of those that came")
  func age() {
    bench.exchange(bench.response(200, ["Cache-Control": "max-age=60", "Age": "5", "age": "7"]))
    bench.advance(by: 10)
    #expect(bench.plan().delivered?.headers.values(for: "Age") == ["15"])
  }

  @Test("leaves out what the server wants confirmed at each use")
  func noCacheFields() {
    let answer = bench.response(200, ["Cache-Control": "max-age=60, no-cache=\"Set-Cookie\"", "Set-Cookie": "a=b"])
    #expect(bench.exchange(answer).headers["Set-Cookie"] == "a=b")
    let delivered = bench.plan().delivered
    #expect(delivered?.text == "Rome")
    #expect(delivered?.headers["Set-Cookie"] == nil)
  }

  // MARK: Revalidation

  @Test("asks the server whether what became stale is still right, and takes over its newer fields")
  func revalidation() {
    bench.exchange(bench.response(200, tagged.adding("X-Version", "1").adding("Content-Type", "text/plain")))
    bench.advance(by: 61)
    let plan = bench.plan()
    #expect(plan.delivered == nil)
    #expect(plan.sent?.headers == ["If-None-Match": "\"1\""])
    let answer = bench.cache.handle(
      bench.response(
        304,
        [
          "Cache-Control": "max-age=100", "X-Version": "2", "ETag": "\"1\"", "Content-Length": "0",
          "Content-Type": "text/html", "Content-Encoding": "br", "Connection": "close",
        ], body: ""),
      plan: plan
    ).response
    #expect(answer?.statusCode == 200)
    #expect(answer?.text == "Rome")
    #expect(answer?.headers["X-Version"] == "2")
    #expect(answer?.headers["Content-Type"] == "text/plain")
    #expect(answer?.headers["Content-Length"] == nil)
    #expect(answer?.headers["Content-Encoding"] == nil)
    #expect(answer?.headers["Connection"] == nil)
    #expect(bench.cache.statistics.revalidations == 1)
    bench.advance(by: 99)
    #expect(bench.plan().delivered?.headers["Age"] == "99")
    bench.advance(by: 2)
    #expect(bench.plan().delivered == nil)
  }

  @Test("counts the age of what was confirmed from then on, though the confirmation has no date")
  func confirmationWithoutDate() {
    bench.exchange(bench.response(200, tagged.adding("Age", "50")))
    bench.advance(by: 3600)
    let plan = bench.plan()
    let confirmation = WebServiceResponse(statusCode: 304, url: CacheBench.url)
    #expect(bench.cache.handle(confirmation, plan: plan).response?.headers["Age"] == "0")
    bench.advance(by: 59)
    #expect(bench.plan().delivered?.headers["Age"] == "59")
  }

  @Test("finds what was confirmed by the fields that the confirmation names")
  func confirmationVaries() {
    let request = CacheBench.request(headers: ["Accept": "a"])
    bench.exchange(request, bench.response(200, tagged))
    bench.advance(by: 61)
    bench.exchange(request, bench.response(304, tagged.adding("Vary", "Accept"), body: ""))
    #expect(bench.plan(request).delivered?.text == "Rome")
    #expect(bench.plan(CacheBench.request(headers: ["Accept": "b"])).delivered == nil)
  }

  @Test("takes a new answer in place of what became stale")
  func replaced() {
    bench.exchange(bench.response(200, tagged))
    bench.advance(by: 61)
    let answer = bench.exchange(bench.response(200, ["Cache-Control": "max-age=60", "ETag": "\"2\""], body: "Oslo"))
    #expect(answer.text == "Oslo")
    #expect(bench.plan().delivered?.text == "Oslo")
  }

  @Test("asks for the whole answer where the server confirms another one, and does so once")
  func confirmationOfAnother() {
    bench.exchange(bench.response(200, tagged))
    bench.advance(by: 61)
    let other = bench.response(304, ["ETag": "\"2\""], body: "")
    guard let second = bench.cache.handle(other, plan: bench.plan()).secondPlan else {
      Issue.record("no second plan")
      return
    }
    #expect(second.sent?.headers == [:])
    #expect(bench.cache.handle(other, plan: second).response?.statusCode == 304)
    #expect(bench.cache.handle(bench.response(200, tagged, body: "Oslo"), plan: second).response?.text == "Oslo")
    #expect(bench.plan().delivered?.text == "Oslo")
  }

  @Test(
    "takes a tag for the same as a confirmation needs it (RFC 9111, section 4.3.4)",
    arguments: [
      ("\"1\"", "\"1\"", true), ("\"1\"", "\"2\"", false), ("W/\"1\"", "W/\"1\"", true), ("\"1\"", "W/\"1\"", true),
      ("W/\"1\"", "\"1\"", false), ("\"1\"", nil, true), ("\"1\"", "junk", true), (nil, "\"1\"", false),
    ] as [(String?, String?, Bool)])
  func tags(stored: String?, confirmed: String?, isSame: Bool) {
    var headers: HTTPHeaders = ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
    headers["ETag"] = stored
    var answer = HTTPHeaders()
    answer["ETag"] = confirmed
    #expect(cachedResponse(headers).isConfirmed(by: bench.response(304, answer)) == isSame)
  }

  @Test("forgets what the server confirms with the wish not to have it stored")
  func confirmedAndNotToBeStored() {
    bench.exchange(bench.response(200, tagged))
    bench.advance(by: 61)
    let answer = bench.exchange(bench.response(304, ["Cache-Control": "no-store"], body: ""))
    #expect(answer.text == "Rome")
    #expect(bench.plan().sent?.headers == [:])
  }

  // MARK: Policies

  @Test("says a policy in words that caches on the way understand, unless the request says its own")
  func policiesInWords() {
    bench.exchange(bench.response(200, tagged))
    #expect(bench.plan(policy: .reload).sent?.headers == ["Cache-Control": "no-cache"])
    #expect(bench.plan(policy: .noStore).sent?.headers == ["Cache-Control": "no-store"])
    #expect(
      bench.plan(policy: .revalidate).sent?.headers == ["If-None-Match": "\"1\"", "Cache-Control": "max-age=0"])
    let own = CacheBench.request(headers: ["Cache-Control": "x=y"])
    #expect(bench.plan(own, policy: .reload).sent?.headers == ["Cache-Control": "x=y"])
  }

  @Test("stores what was reloaded")
  func reload() {
    bench.exchange(bench.response(200, tagged))
    bench.exchange(policy: .reload, bench.response(200, tagged, body: "Oslo"))
    #expect(bench.plan().delivered?.text == "Oslo")
  }

  @Test("stores nothing where that is wished, and leaves what is stored")
  func noStore() {
    bench.exchange(policy: .noStore, bench.response(200, tagged))
    #expect(bench.plan().delivered == nil)
    bench.exchange(bench.response(200, tagged))
    bench.exchange(policy: .noStore, bench.response(200, tagged, body: "Oslo"))
    bench.exchange(
      CacheBench.request(headers: ["Cache-Control": "no-store"]), bench.response(200, tagged, body: "Bonn"))
    #expect(bench.plan().delivered?.text == "Rome")
  }

  @Test("answers with 504, and sends nothing, where only a stored answer is wanted and there is none")
  func onlyIfCached() {
    for plan in [
      bench.plan(policy: .onlyIfCached), bench.plan(CacheBench.request(headers: ["Cache-Control": "only-if-cached"])),
      bench.plan(CacheBench.request(.post), policy: .onlyIfCached),
    ] {
      #expect(plan.sent == nil)
      #expect(plan.delivered?.statusCode == 504)
      #expect(plan.delivered?.url == CacheBench.url)
    }
    bench.exchange(bench.response(200, tagged))
    #expect(bench.plan(policy: .onlyIfCached).delivered?.text == "Rome")
  }

  @Test("lets pass what it has no part in, unchanged")
  func passing() {
    bench.exchange(bench.response(200, tagged))
    var withBody = CacheBench.request()
    withBody.body = .data(Data("x".utf8))
    var toFile = CacheBench.request()
    toFile.destination = .file(URL(fileURLWithPath: "/nowhere"))
    let others = [
      withBody, toFile, CacheBench.request(.post), CacheBench.request(.options),
      CacheBench.request(headers: ["Range": "bytes=0-1"]), CacheBench.request(headers: ["if-none-match": "\"7\""]),
      CacheBench.request(headers: ["If-Modified-Since": "x"]),
    ]
    for request in others {
      let plan = bench.plan(request)
      #expect(plan.delivered == nil)
      #expect(plan.sent?.headers == request.headers)
      #expect(bench.cache.handle(bench.response(304, body: ""), plan: plan).response?.statusCode == 304)
    }
  }

  @Test("hands out nothing that the request would refuse for its length")
  func lengthLimit() {
    bench.exchange(bench.response(200, tagged))
    var small = CacheBench.request()
    small.destination = .memory(limit: 3)
    #expect(bench.plan(small).delivered == nil)
    small.destination = .memory(limit: 4)
    #expect(bench.plan(small).delivered != nil)
  }

  @Test("doesn't store what a session fetched from another URL by itself")
  func followedRedirect() {
    bench.exchange(bench.response(200, tagged, url: testURL("https://api.example.com/elsewhere")))
    #expect(bench.plan().delivered == nil)
  }

  @Test("keeps a redirect as it is")
  func redirect() {
    bench.exchange(bench.response(301, ["Location": "/new", "Cache-Control": "max-age=60"]))
    #expect(bench.plan().delivered?.headers["Location"] == "/new")
  }

  @Test("forgets what is outdated by an answer that isn't to be stored")
  func newerAnswerNotStored() {
    bench.exchange(bench.response(200, tagged))
    bench.exchange(policy: .reload, bench.response(200, ["Cache-Control": "no-store"], body: "Oslo"))
    #expect(bench.plan().delivered == nil)
    bench.exchange(bench.response(200, tagged))
    bench.exchange(policy: .reload, bench.response(503))
    #expect(bench.plan().delivered?.text == "Rome")
  }

  // MARK: Variants and identities

  @Test("keeps the variants of one URL apart, and no more than eight")
  func variants() {
    func request(_ language: Int) -> TransportRequest {
      CacheBench.request(headers: ["Accept-Language": "x-\(language)"])
    }
    let headers = tagged.adding("Vary", "Accept-Language")
    for language in 0..<10 { bench.exchange(request(language), bench.response(200, headers, body: "\(language)")) }
    for language in 2..<10 { #expect(bench.plan(request(language)).delivered?.text == "\(language)") }
    for language in 0..<2 { #expect(bench.plan(request(language)).delivered == nil) }
    bench.exchange(request(5), policy: .reload, bench.response(200, headers, body: "five"))
    #expect(bench.plan(request(5)).delivered?.text == "five")
    #expect(bench.plan(request(2)).delivered?.text == "2")
  }

  @Test("never hands one identity's answer to another one, whatever they ask")
  func identities() {
    var generator = SeededGenerator(seed: 5)
    let identities = [nil, CacheIdentity(account: "ada"), CacheIdentity(account: "bob")]
    for step in 0..<2000 {
      let owner = Int.random(in: 0..<identities.count, using: &generator)
      let url = testURL("https://api.example.com/\(Int.random(in: 0..<3, using: &generator))")
      let method = Int.random(in: 0..<20, using: &generator) == 0 ? HTTPMethod.put : .get
      let plan = bench.plan(CacheBench.request(method, url), identity: identities[owner])
      let delivered = plan.delivered
      if let delivered { #expect(delivered.text.hasPrefix("\(owner) ")) }
      guard plan.sent != nil else { continue }
      let isConfirming = plan.sent?.headers["If-None-Match"] != nil && step % 2 == 0
      let response = bench.response(
        isConfirming ? 304 : 200, ["Cache-Control": "public, max-age=3, stale-while-revalidate=3", "ETag": "\"1\""],
        body: isConfirming ? "" : "\(owner) \(step)", url: url)
      let answer = bench.cache.handle(response, plan: plan).response
      #expect(answer?.text.hasPrefix("\(owner) ") ?? false)
      bench.advance(by: Double.random(in: 0..<1, using: &generator))
    }
    #expect(bench.cache.statistics.hits > 200)
    #expect(bench.cache.statistics.staleHits > 50)
    #expect(bench.cache.statistics.revalidations > 50)
  }

  // MARK: HEAD

  @Test("answers HEAD from what GET brought, without its body")
  func headFromGet() {
    bench.exchange(bench.response(200, tagged))
    let delivered = bench.plan(CacheBench.request(.head)).delivered
    #expect(delivered?.headers["ETag"] == "\"1\"")
    #expect(delivered?.body.isEmpty ?? false)
  }

  @Test("freshens the whole answer where HEAD asks whether it is still right")
  func headConfirms() {
    bench.exchange(bench.response(200, tagged))
    bench.advance(by: 61)
    let answer = bench.exchange(CacheBench.request(.head), bench.response(304, tagged, body: ""))
    #expect(answer.statusCode == 200)
    #expect(answer.body.isEmpty)
    #expect(bench.plan().delivered?.text == "Rome")
  }

  @Test("keeps a head that came alone, for HEAD only")
  func headAlone() {
    bench.exchange(CacheBench.request(.head), bench.response(200, tagged, body: ""))
    #expect(bench.plan(CacheBench.request(.head)).delivered != nil)
    #expect(bench.plan().delivered == nil)
    bench.exchange(bench.response(200, tagged))
    #expect(bench.store.lookup(CacheKey(url: CacheBench.url, identity: nil)).count == 1)
  }

  @Test("freshens the whole answer by a head that is its own (RFC 9111, section 4.3.5)")
  func headFreshens() {
    bench.exchange(bench.response(200, tagged.adding("Content-Length", "4")))
    bench.advance(by: 50)
    let head = bench.response(200, tagged.adding("Content-Length", "4").adding("X-New", "1"), body: "")
    bench.exchange(CacheBench.request(.head), policy: .reload, head)
    bench.advance(by: 50)
    #expect(bench.plan().delivered?.text == "Rome")
    #expect(bench.plan().delivered?.headers["X-New"] == "1")
  }

  @Test(
    "forgets the whole answer where a head shows that it changed",
    arguments: [("ETag", "\"2\""), ("Content-Length", "5"), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")])
  func headShowsChange(name: String, value: String) {
    bench.exchange(bench.response(200, tagged.adding("Content-Length", "4")))
    var headers = tagged.adding("Content-Length", "4")
    headers[name] = value
    bench.exchange(CacheBench.request(.head), policy: .reload, bench.response(200, headers, body: ""))
    #expect(bench.plan().delivered == nil)
    #expect(bench.plan(CacheBench.request(.head)).delivered?.headers[name] == value)
  }

  // MARK: Stale answers

  @Test("hands out what is stale while one request asks the server")
  func staleWhileRevalidate() {
    bench.exchange(bench.response(200, ["Cache-Control": "max-age=60, stale-while-revalidate=100", "ETag": "\"1\""]))
    bench.advance(by: 70)
    var request = CacheBench.request()
    request.onProgress = { _ in }
    let plan = bench.plan(request)
    #expect(plan.delivered?.text == "Rome")
    #expect(plan.delivered?.headers["Age"] == "70")
    #expect(plan.sent?.headers == ["If-None-Match": "\"1\""])
    #expect(plan.sent?.onProgress == nil)
    let second = bench.plan()
    #expect(second.delivered?.text == "Rome")
    #expect(second.sent == nil)
    _ = bench.cache.handle(bench.response(200, tagged, body: "Oslo"), plan: plan)
    #expect(bench.plan().delivered?.text == "Oslo")
    #expect(bench.cache.statistics.staleHits == 2)
  }

  @Test("asks again where asking failed, or where nobody told its end for a minute")
  func refreshThatFailed() {
    bench.exchange(bench.response(200, ["Cache-Control": "max-age=60, stale-while-revalidate=1000"]))
    bench.advance(by: 70)
    let plan = bench.plan()
    #expect(bench.cache.handleError(plan: plan) == nil)
    #expect(bench.plan().sent != nil)
    #expect(bench.plan().sent == nil)
    bench.advance(by: 60)
    #expect(bench.plan().sent != nil)
  }

  @Test("lets what is stale stand in for a server that fails, as long as that is allowed")
  func staleIfError() {
    bench.exchange(bench.response(200, ["Cache-Control": "max-age=60, stale-if-error=40", "ETag": "\"1\""]))
    bench.advance(by: 70)
    #expect(bench.cache.handleError(plan: bench.plan())?.text == "Rome")
    for status in [500, 502, 503, 504] {
      let answer = bench.exchange(bench.response(status, body: "sorry"))
      #expect(answer.text == "Rome")
      #expect(answer.statusCode == 200)
      #expect(answer.headers["Age"] == "70")
    }
    #expect(bench.cache.statistics.staleOnError == 5)
    #expect(bench.exchange(bench.response(501, body: "sorry")).statusCode == 501)
    #expect(bench.exchange(bench.response(403, body: "sorry")).statusCode == 403)
    let plan = bench.plan()
    bench.advance(by: 30)
    #expect(bench.cache.handleError(plan: plan) == nil)
    #expect(bench.exchange(bench.response(503)).statusCode == 503)
  }

  @Test("lets nothing stand in for what isn't stored, or not for this request")
  func noStandIn() {
    #expect(bench.cache.handleError(plan: bench.plan()) == nil)
    let bench = CacheBench(rules: CacheRules(staleIfError: 1000))
    bench.exchange(bench.response(200, tagged))
    bench.advance(by: 61)
    #expect(bench.cache.handleError(plan: bench.plan(policy: .reload)) == nil)
    #expect(bench.cache.handleError(plan: bench.plan(policy: .revalidate)) == nil)
    #expect(bench.cache.handleError(plan: bench.plan(CacheBench.request(.put))) == nil)
    #expect(bench.cache.handleError(plan: bench.plan())?.text == "Rome")
  }

  // MARK: Changes

  @Test(
    "forgets what a request that changes something makes obsolete",
    arguments: [
      ("POST", 200, true), ("PUT", 204, true), ("DELETE", 200, true), ("PATCH", 303, true),
      ("PURGE", 200, true), ("POST", 400, false), ("POST", 500, false), ("OPTIONS", 200, false),
    ])
  func invalidation(method: String, statusCode: Int, isForgotten: Bool) {
    let ada = CacheIdentity(account: "ada")
    bench.exchange(bench.response(200, tagged))
    bench.exchange(identity: ada, bench.response(200, tagged))
    let request = CacheBench.request(HTTPMethod(rawValue: method))
    bench.exchange(request, identity: ada, bench.response(statusCode))
    #expect((bench.plan().delivered == nil) == isForgotten)
    #expect((bench.plan(identity: ada).delivered == nil) == isForgotten)
  }

  @Test("forgets what Location and Content-Location name, on the same origin")
  func invalidationByLocation() {
    let names = ["https://api.example.com/a", "https://api.example.com/b", "https://other.example.com/c"].map(testURL)
    for url in names { bench.exchange(CacheBench.request(.get, url), bench.response(200, tagged, url: url)) }
    bench.exchange(
      CacheBench.request(.post),
      bench.response(201, ["Location": "/a", "Content-Location": "https://API.example.com/b"]))
    bench.exchange(CacheBench.request(.post), bench.response(201, ["Location": "https://other.example.com/c"]))
    let isThere = names.map { bench.plan(CacheBench.request(.get, $0)).delivered != nil }
    #expect(isThere == [false, false, true])
  }

  @Test("doesn't store an answer that was asked for before something changed")
  func answerOvertakenByChange() {
    let early = bench.plan()
    bench.exchange(CacheBench.request(.put), bench.response(204))
    #expect(bench.cache.handle(bench.response(200, tagged), plan: early).response?.text == "Rome")
    #expect(bench.plan().delivered == nil)
    bench.exchange(bench.response(200, tagged, body: "Oslo"))
    #expect(bench.plan().delivered?.text == "Oslo")
  }

  @Test("remembers that something changed however much else does")
  func manyChanges() {
    let early = bench.plan()
    bench.exchange(CacheBench.request(.put), bench.response(204))
    for number in 0..<1000 {
      let url = testURL("https://api.example.com/other/\(number)")
      bench.exchange(CacheBench.request(.put, url), bench.response(204, url: url))
    }
    _ = bench.cache.handle(bench.response(200, tagged), plan: early)
    #expect(bench.plan().delivered == nil)
  }

  @Test("forgets everything on demand, what is on its way and what would stand in included")
  func removeAll() {
    let bench = CacheBench(rules: CacheRules(staleIfError: 1000))
    bench.exchange(bench.response(200, tagged))
    let other = testURL("https://api.example.com/other")
    let early = bench.plan(CacheBench.request(.get, other))
    bench.advance(by: 61)
    let stale = bench.plan()
    bench.cache.removeAll()
    _ = bench.cache.handle(bench.response(200, tagged, url: other), plan: early)
    #expect(bench.plan().sent?.headers == [:])
    #expect(bench.plan(CacheBench.request(.get, other)).delivered == nil)
    #expect(bench.cache.handleError(plan: stale) == nil)
  }
}

@Suite("The journal of a cache")
struct CacheJournalTests {
  @Test("says what changed since, and never forgets a change")
  func changes() {
    var generator = SeededGenerator(seed: 8)
    var journal = CacheJournal()
    var lastChange: [String: UInt64] = [:]
    for _ in 0..<3000 {
      let url = "\(Int.random(in: 0..<400, using: &generator))"
      journal.noteChange(of: url)
      lastChange[url] = journal.sequence
      let asked = "\(Int.random(in: 0..<400, using: &generator))"
      let since = UInt64.random(in: 0...journal.sequence, using: &generator)
      if since < lastChange[asked] ?? 0 { #expect(!journal.isCurrent(asked, since: since)) }
      #expect(journal.isCurrent(asked, since: journal.sequence))
    }
  }

  @Test("bounds the refreshes that are under way, and makes room when their time is over")
  func refreshes() {
    var journal = CacheJournal()
    func key(_ number: Int) -> CacheKey { CacheKey(url: "\(number)", identity: nil) }
    func begin(_ number: Int, after seconds: TimeInterval = 0) -> Bool {
      journal.beginRefresh(of: key(number), at: CacheBench.start.addingTimeInterval(seconds))
    }
    #expect((0..<CacheJournal.refreshLimit).filter { !begin($0) }.isEmpty)
    #expect(!begin(-1))
    journal.endRefresh(of: key(5))
    #expect(begin(-1))
    #expect(!begin(-2))
    #expect(begin(-2, after: 61))
  }
}

extension HTTPHeaders {
  fileprivate func adding(_ name: String, _ value: String) -> HTTPHeaders {
    var copy = self
    copy.add(name: name, value: value)
    return copy
  }
}
