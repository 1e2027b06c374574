@testable import WebServicesTestSupport

/// Checks that transports avoid the faults of Foundation on Linux that concern responses. The article "Running on
/// Linux" lists each fault by its number. Other suites cover hangs, crashes and security.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct TransportResponseFactsTests {
  @Test("fact 16: a body needs no type, and only Foundation refuses a GET with a body", arguments: TransportKind.own)
  func bodyNeedsNoTypeAndGetMayHaveABody(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(nil, "/", .text("ok"))
    for method in [HTTPMethod.get, .post, .put, .patch, .delete, HTTPMethod(rawValue: "QUERY")] {
      let result = await harness.transfer(method, body: .data(Data("abc".utf8)))
      let isRefused = kind.isFoundation && method == .get
      #expect(isRefused ? result.error?.kind == .invalidRequest : result.text == "ok")
    }
    expectEqual(
      harness.server.requests.map(\.method.rawValue),
      (kind.isFoundation ? [] : ["GET"]) + ["POST", "PUT", "PATCH", "DELETE", "QUERY"])
    #expect(harness.server.requests.allSatisfy { $0.text == "abc" && $0.headers["Expect"] == nil })
    if !kind.isFoundation { #expect(harness.server.requests.allSatisfy { $0.headers["Content-Type"] == nil }) }
  }

  @Test(arguments: TransportKind.allCases)
  func headerFieldsAreLimited(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    expectEqual(await harness.transfer(serving: .manyHeaders(990)).text, "ok")
    let error = await harness.transfer(serving: .manyHeaders(1001)).error
    expectEqual(error?.kind, .tooLarge)
    expectEqual(error?.message, "the response has more than 1000 header fields")
    #expect(error?.response == nil)
  }

  // Many containers have no IPv6.
  @Test(
    "fact 17: IPv6 literals work, except with Foundation on Linux",
    .enabled(if: (try? LoopbackServer(.ipv6)) != nil), arguments: TransportKind.own)
  func ipv6LiteralsAreAccepted(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(session: kind.makeSession(), address: .ipv6)
    harness.server.route(nil, "/", .text("ok"))
    for text in ["http://[::1]:\(harness.server.port)/", "HTTP://[::1]:\(harness.server.port)/"] {
      let result = await harness.transfer(TransportRequest(url: testURL(text)))
      #expect(kind.isFoundationOnLinux ? result.error?.kind == .invalidRequest : result.text == "ok")
    }
  }

  @Test(
    "fact 18: unusual responses are accepted; Foundation on Linux refuses some", arguments: LoopbackServer.Oddity.all)
  func unusualResponsesAreAccepted(_ oddity: LoopbackServer.Oddity) async throws {
    for kind in TransportKind.own where !(kind.isFoundationOnLinux && oddity.onFoundation == .crashes) {
      let harness = try SocketHarness(kind)
      let result = await harness.transfer(serving: .odd(oddity))
      let isRefused = kind.isFoundationOnLinux && oddity.onFoundation == .refuses
      expectEqual(result.error?.kind, (isRefused ? .other : nil))
      if !isRefused { #expect(result.response?.statusCode == 200 && result.text == "ok") }
    }
  }

  @Test(
    "fact 18: repeated headers stay apart and in order; Foundation separates only cookies",
    arguments: TransportKind.own)
  func repeatedHeadersStayApartAndInOrder(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let cookies = ["a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Path=/", "b=2", "c=3"]
    let same = HTTPHeaders(cookies.map { .init(name: "Set-Cookie", value: $0) })
    let joined = try #require(await harness.transfer(serving: .text("ok", headers: same)).response)
    expectEqual(joined.headers.values(for: "Set-Cookie"), cookies)
    let headers = HTTPHeaders(
      zip(["Set-Cookie", "set-cookie", "SET-COOKIE"], cookies).map { .init(name: $0, value: $1) })
    let response = try #require(await harness.transfer(serving: .text("ok", headers: headers)).response)
    if kind.isFoundation {
      #expect(response.headers.values(for: "Set-Cookie").allSatisfy { cookies.contains($0) })
      return
    }
    expectEqual(response.headers.values(for: "Set-Cookie"), cookies)
    let latin = try #require(await harness.transfer(serving: .odd(.latin1InField)).response)
    expectEqual(latin.headers["X-Name"], "J\u{FC}rgen")
  }

  @Test("fact 19: a decoded body has no headers of the encoded one", arguments: TransportKind.own)
  func decodedBodyHasNoEncodingHeaders(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let data = Data(String(repeating: "feather ", count: 2000).utf8)
    for served in [LoopbackServer.Response.gzip(data), .deflate(data)] {
      let response = try #require(await harness.transfer(serving: served).response)
      expectEqual(response.body, data)
      #expect(response.headers["Content-Encoding"] == nil && response.headers["Content-Length"] == nil)
      // A cache must not serve a range of decoded content, because the server counts the encoded bytes.
      #expect(response.isDecoded)
    }
    expectEqual(await harness.transfer(serving: .data(data)).response?.isDecoded, false)
    // Foundation on Linux reports truncated compressed content as a success, so the transport must not request
    // compression.
    let accepted = try #require(harness.server.requests.first?.headers["Accept-Encoding"])
    #expect(kind.isFoundationOnLinux ? accepted == "identity" : accepted.contains("gzip"))
    // A caller that names encodings decodes itself, except with Foundation.
    let own = try #require(
      await harness.transfer(serving: .gzip(data)) { $0.headers["Accept-Encoding"] = "gzip" }.response)
    expectEqual(own.headers["Content-Encoding"], (kind.isFoundation ? nil : "gzip"))
    expectEqual(own.body == data, kind.isFoundation)
    if !kind.isFoundation { expectEqual(own.headers["Content-Length"], String(own.body.count)) }
  }

  @Test(
    "fact 20: errors are distinguished, and malformed responses never succeed",
    arguments: LoopbackServer.Malformation.all)
  func malformedResponsesNeverSucceed(_ malformation: LoopbackServer.Malformation) async throws {
    // On Linux an incomplete head crashes Foundation (fact 25). With folded framing, Foundation takes the chunk sizes
    // for content, and nothing shows it.
    let leftOut = [LoopbackServer.Malformation.headCutOff.text, LoopbackServer.Malformation.foldedFraming.text]
    for kind in TransportKind.own where !(kind.isFoundationOnLinux && leftOut.contains(malformation.text)) {
      let harness = try SocketHarness(kind)
      let result = await harness.transfer(serving: .malformed(malformation)) { $0.timeouts.idle = 20 }
      // libcurl from 8.18 on reads folded framing as it is meant.
      if malformation.text == LoopbackServer.Malformation.foldedFraming.text, result.text == "ok" { continue }
      let error = result.error
      #expect(error.map { kind.isFoundationOnLinux || malformation.kinds.contains($0.kind) } == true, "\(result)")
      expectEqual(error?.mayHaveReachedServer, true)
      expectEqual(harness.server.requestCount, 1)
    }
  }

  @Test("facts 10, 23: every request reaches the server, without a cookie", arguments: TransportKind.allCases)
  func everyRequestReachesTheServer(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(
      .get, "/", .text("ok", headers: ["Cache-Control": "max-age=600", "Set-Cookie": "a=1; Path=/"]))
    for _ in 0..<3 { expectEqual(await harness.transfer("/").text, "ok") }
    #expect(harness.server.requests.allSatisfy { $0.headers["Cookie"] == nil })
    expectEqual(harness.server.requestCount, 3)
    expectEqual(harness.server.connectionsAccepted, (kind == .foundation && kind.isFoundationOnLinux ? 3 : 1))
  }
}
