import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP

@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct TransportDecodingTests {
  /// A cache must not serve a range of decoded content, because the server counts the encoded bytes.
  @Test(arguments: TransportKind.allCases)
  func responseTellsWhetherItsContentWasDecoded(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let content = Data("0123456789".utf8)
    let decoded = await harness.transfer(serving: .gzip(content)).response
    #expect(decoded?.body == content)
    #expect(decoded?.isDecoded == true)
    let plain = await harness.transfer(serving: .data(content)).response
    #expect(plain?.body == content)
    #expect(plain?.isDecoded == false)
  }

  @Test(arguments: TransportKind.own)
  func rangeOfDecodedContentIsRequestedFromTheServer(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let cache = ResponseCache()
    let content = Data("0123456789".utf8)
    let fresh: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
    harness.server.route(.get, "/packed", .gzip(content, headers: fresh))
    harness.server.route(.get, "/plain", .data(content, headers: fresh))
    for (path, isGiven) in [("/packed", false), ("/plain", true)] {
      let whole = TransportRequest(url: harness.server.url(path))
      let plan = cache.plan(for: whole, identity: nil)
      let response = try #require(await harness.transfer(whole).response)
      _ = cache.handle(response, plan: plan)
      #expect(cache.plan(for: whole, identity: nil).delivered?.body == content)
      let part = TransportRequest(url: harness.server.url(path), headers: ["Range": "bytes=2-4"])
      let given = cache.plan(for: part, identity: nil).delivered
      #expect((given?.text == "234") == isGiven)
      #expect((given == nil) != isGiven)
    }
  }
}
