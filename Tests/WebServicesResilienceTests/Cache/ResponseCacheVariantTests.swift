import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct ResponseCacheVariantTests {
  private let bench = CacheBench()
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  @Test func atMostEightVariantsAreKept() {
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

  @Test func identitiesNeverShareResponses() {
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

  @Test(arguments: [false, true])
  func virtualHostsAreKeptApart(isOnDisk: Bool) throws {
    let folder = try TemporaryFolder()
    let bench = CacheBench(store: isOnDisk ? try DiskResponseStore(directory: folder.url) : MemoryResponseStore())
    let hosts: [String?] = [nil, "a.example.com", "b.example.com"]
    func request(_ host: String?, _ method: HTTPMethod = .get) -> TransportRequest {
      CacheBench.request(method, headers: host.map { ["Host": $0] } ?? [:])
    }
    for host in hosts { bench.exchange(request(host), bench.response(200, tagged, body: host ?? "none")) }
    for host in hosts { #expect(bench.plan(request(host)).delivered?.text == host ?? "none") }
    // A change at the URL counts as a change for all hosts.
    bench.exchange(request("a.example.com", .put), bench.response(204, body: ""))
    for host in hosts { #expect(bench.plan(request(host)).delivered == nil) }
  }

  @Test func encodedContentIsAVariant() {
    let encoded = CacheBench.request(headers: ["Accept-Encoding": "br"])
    bench.exchange(encoded, bench.response(200, tagged.adding("Content-Encoding", "br"), body: "packed"))
    #expect(bench.plan(encoded).delivered?.text == "packed")
    #expect(bench.plan().delivered == nil)
    bench.exchange(bench.response(200, tagged))
    #expect(bench.plan().delivered?.text == "Rome")
    // The response to HEAD refreshes the stored response although the transport decoded its content.
    bench.advance(by: 50)
    let head = bench.response(200, tagged.adding("Content-Encoding", "gzip").adding("X-New", "1"), body: "")
    bench.exchange(CacheBench.request(.head), policy: .reload, head)
    bench.advance(by: 50)
    #expect(bench.plan().delivered?.headers["X-New"] == "1")
    #expect(bench.plan().delivered?.headers["Content-Encoding"] == nil)
  }

  // MARK: HEAD

  @Test func headIsServedFromStoredGet() {
    bench.exchange(bench.response(200, tagged))
    let delivered = bench.plan(CacheBench.request(.head)).delivered
    #expect(delivered?.headers["ETag"] == "\"1\"")
    #expect(delivered?.body.isEmpty ?? false)
  }

  @Test func headConfirmationRefreshesTheResponse() {
    bench.exchange(bench.response(200, tagged))
    bench.advance(by: 61)
    let answer = bench.exchange(CacheBench.request(.head), bench.response(304, tagged, body: ""))
    #expect(answer.statusCode == 200)
    #expect(answer.body.isEmpty)
    #expect(bench.plan().delivered?.text == "Rome")
  }

  @Test func loneHeadServesOnlyHead() {
    bench.exchange(CacheBench.request(.head), bench.response(200, tagged, body: ""))
    #expect(bench.plan(CacheBench.request(.head)).delivered != nil)
    #expect(bench.plan().delivered == nil)
    bench.exchange(bench.response(200, tagged))
    #expect(bench.store.lookup(CacheKey(url: CacheBench.url, identity: nil)).count == 1)
  }

  @Test func matchingHeadRefreshesTheResponse() {
    bench.exchange(bench.response(200, tagged.adding("Content-Length", "4")))
    bench.advance(by: 50)
    let head = bench.response(200, tagged.adding("Content-Length", "4").adding("X-New", "1"), body: "")
    bench.exchange(CacheBench.request(.head), policy: .reload, head)
    bench.advance(by: 50)
    #expect(bench.plan().delivered?.text == "Rome")
    #expect(bench.plan().delivered?.headers["X-New"] == "1")
  }

  @Test(
    arguments: [("ETag", "\"2\""), ("Content-Length", "5"), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")])
  func changedHeadRemovesTheResponse(name: String, value: String) {
    bench.exchange(bench.response(200, tagged.adding("Content-Length", "4")))
    var headers = tagged.adding("Content-Length", "4")
    headers[name] = value
    bench.exchange(CacheBench.request(.head), policy: .reload, bench.response(200, headers, body: ""))
    #expect(bench.plan().delivered == nil)
    #expect(bench.plan(CacheBench.request(.head)).delivered?.headers[name] == value)
  }
}
