@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  /// Connections that are kept for a next request, and servers that send a response or close before that request.
  @Suite(.timeLimit(.minutes(5)), .leavesNothing)
  struct CurlKeptConnectionTests {
    /// Waits until the port has no open connection whose received bytes have all been read.
    private func nothingIsKeptInOrder(port: UInt16) async -> Bool {
      let remote = "0100007F:" + String(format: "%04X", Int(port))
      let (established, nothing) = ("01", "00000000")
      for _ in 0..<200 {
        // The file has no size, so `String` would read it as empty.
        let bytes = try? FileHandle(forReadingAtPath: "/proc/net/tcp")?.readToEnd()
        let lines = String(decoding: bytes ?? Data(), as: UTF8.self).split(separator: "\n")
        let isInOrder = lines.contains { line in
          let columns = line.split(separator: " ")
          return columns.count > 4 && columns[2] == remote && columns[3] == established && columns[4].hasSuffix(nothing)
        }
        if !lines.isEmpty, !isInOrder { return true }
        try? await Task.sleep(nanoseconds: 50_000_000)
      }
      return false
    }

    private static let pushes: [(text: String, closes: Bool)] = [
      ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged", false),
      ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged", true),
      ("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", true),
      ("HTTP/1.1 100 Continue\r\n\r\n", false), ("\r\n", false), ("H", false),
    ]

    @Test(arguments: [HTTPMethod.get, .post, .put], [false, true])
    func unsolicitedResponseIsNeverDelivered(_ method: HTTPMethod, isOld: Bool) async throws {
      for push in Self.pushes {
        let harness = try SocketHarness(session: CurlSession.forTest(library: isOld ? .old() : nil))
        let (isKept, isPushed) = (LoopbackServer.Gate(), LoopbackServer.Gate())
        let first = LoopbackServer.Response.text("ok").then(.wait(isKept), .text(push.text), .wait(isPushed))
        harness.server.route(.get, "/first", push.closes ? first.then(.close) : first)
        harness.server.route(method, "/second", .text("second"))
        expectEqual(await harness.transfer("/first").text, "ok")
        isKept.open()
        await isPushed.waitUntilReached()
        if push.closes { isPushed.open() }
        // Without a next request, too.
        #expect(await harness.server.waitForOpenConnections(count: 0))
        let body = method == .get ? TransportBody.none : .data(Data("abc".utf8))
        expectEqual(await harness.transfer(method, "/second", body: body).text, "second")
        expectEqual(harness.server.requests(method, "/second").map(\.connection), [2])
        isPushed.open()
      }
    }

    /// libcurl keeps the connection, because the framing of the response is complete.
    @Test func unsolicitedResponseAfterTruncatedCodingIsIgnored() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      let (isKept, isPushed) = (LoopbackServer.Gate(), LoopbackServer.Gate())
      let truncated = LoopbackServer.Response.truncatedGzip(Data(repeating: 0x66, count: 3000))
      harness.server.route(.get, "/first", truncated.then(.wait(isKept), .text(Self.pushes[0].text), .wait(isPushed)))
      harness.server.route(.get, "/second", .text("second"))
      #expect(await harness.transfer("/first").error != nil)
      isKept.open()
      await isPushed.waitUntilReached()
      expectEqual(await harness.transfer("/second").text, "second")
      isPushed.open()
    }

    @Test(arguments: [("1.0", 2), ("1.1", 1)])
    func connectionIsUsedAgainUnlessItsVersionKnowsNoChunks(version: String, connection: Int) async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      let head = "HTTP/\(version) 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"
      harness.server.route(.get, "/first", .raw(head + "2\r\nok\r\n0\r\n\r\n"))
      harness.server.route(.get, "/second", .text("second"))
      expectEqual(await harness.transfer("/first").text, "ok")
      expectEqual(await harness.transfer("/second").text, "second")
      expectEqual(harness.server.requests(.get, "/second").map(\.connection), [connection])
    }

    /// The next request begins in the turn in which the response ends. libcurl reads no more than the length from a
    /// library for TLS, which has the rest of a record then.
    @Test(arguments: TLSLoopback.unavailability == nil ? [false, true] : [false])
    func bytesBehindAResponseAreIgnored(isSecure: Bool) async throws {
      let server = try LoopbackServer.forTest()
      let tls = isSecure ? try TLSLoopback(server) : nil
      defer { tls?.stop() }
      let session = try CurlSession.forTest { $0.trust = .file(TLSFixtures.authority) }
      defer { session.invalidateAndCancel() }
      let head = LoopbackServer.Step.head(status: 200, headers: ["Content-Length": "2"])
      server.route(.get, "/first", [head, .delay(0.05), .text("ok" + Self.pushes[0].text)])
      server.route(.get, "/second", .text("second"))
      let texts = Collector<String?>()
      func request(_ path: String) -> TransportRequest { TransportRequest(url: tls?.url(path) ?? server.url(path)) }
      var first = request("/first")
      let (second, isFirst) = (request("/second"), Once())
      first.onProgress = {
        guard $0.received == 2, isFirst() else { return }
        session.transferTask(with: second) { texts.append($0.text) }.resume()
      }
      expectEqual(await session.send(first).text, "ok")
      expectEqual(await texts.elements(1), ["second"])
    }

    /// A cancel races a response: libcurl may have completed a transfer that ends as cancelled.
    @Test func unsolicitedResponseAfterCancelledTransferIsIgnored() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      harness.server.route(.get, "/second", .text("second"))
      for round in 0..<60 {
        let (isAsked, isPushed) = (LoopbackServer.Gate(), LoopbackServer.Gate())
        var first = LoopbackServer.Response.text("ok")
        first.steps.insert(.wait(isAsked), at: 0)
        harness.server.route(.get, "/first", first.then(.delay(0.002), .text(Self.pushes[0].text), .wait(isPushed)))
        await withCheckedContinuation { continuation in
          let request = TransportRequest(url: harness.server.url("/first"))
          let task = harness.session.transferTask(with: request) { _ in continuation.resume() }
          task.resume()
          while isAsked.arrivals == 0 { sched_yield() }
          isAsked.open()
          usleep(UInt32(round * 5))
          task.cancel()
        }
        // The gate isn't reached if the cancel closes the connection first.
        while isPushed.arrivals == 0, harness.server.openConnections > 0 {
          try await Task.sleep(nanoseconds: 1_000_000)
        }
        expectEqual(await harness.transfer("/second").text, "second")
        isPushed.open()
      }
    }

    /// The system may give the number of a closed descriptor to a file of the app's, which must not be ended.
    @Test func closedConnectionIsNotKept() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      harness.server.route(.get, "/", .text("ok"))
      expectEqual(await harness.transfer("/").text, "ok")
      let loop = try #require((harness.session as? CurlSession)?.driver.loop)
      let descriptor = dup(2)
      loop.sockets += Array(repeating: CurlSocket(), count: Int(descriptor) + 1)
      loop.sockets[Int(descriptor)].keptHTTP = 1
      expectEqual(loop.closeSocket(descriptor), 0)
      #expect(loop.sockets[Int(descriptor)].keptHTTP == 0)
    }

    @Test func otherConnectionsAreUsedAgain() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      let (areSent, isKept, isPushed) = (LoopbackServer.Gate(), LoopbackServer.Gate(), LoopbackServer.Gate())
      let head = LoopbackServer.Step.head(status: 200, headers: ["Content-Length": "2"])
      let push = LoopbackServer.Step.text("HTTP/1.1 200 OK\r\n")
      harness.server.route(.get, "/good", [.wait(areSent), head, "ok"])
      harness.server.route(.get, "/bad", [.wait(areSent), head, "ok", .wait(isKept), push, .wait(isPushed)])
      harness.server.route(.get, "/next", .text("next"))
      async let good = harness.transfer("/good")
      async let bad = harness.transfer("/bad")
      await areSent.waitUntilReached(count: 2)
      areSent.open()
      expectEqual(await [good.text, bad.text], ["ok", "ok"])
      isKept.open()
      await isPushed.waitUntilReached()
      for _ in 0..<4 { expectEqual(await harness.transfer("/next").text, "next") }
      let spoiled = harness.server.requests(.get, "/bad").map(\.connection)
      #expect(Set(harness.server.requests(.get, "/next").map(\.connection)).isDisjoint(with: spoiled))
      expectEqual(harness.server.connectionsAccepted, 2)
      isPushed.open()
    }

    @Test(.enabled(if: TLSLoopback.unavailability == nil, "python3 is missing"))
    func unsolicitedResponseOverTLSIsIgnored() async throws {
      for text in ["HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged", ""] {
        let server = try LoopbackServer.forTest()
        let tls = try TLSLoopback(server)
        defer { tls.stop() }
        let session = try CurlSession.forTest { $0.trust = .file(TLSFixtures.authority) }
        defer { session.invalidateAndCancel() }
        server.route(.get, "/first", .text("ok").then(.text(text), .close))
        server.route(.post, "/second", .text("second"))
        expectEqual(await session.send(TransportRequest(url: tls.url("/first"))).text, "ok")
        #expect(await server.waitForOpenConnections(count: 0))
        let isSpoiled = await nothingIsKeptInOrder(port: tls.port)
        let request = TransportRequest(method: .post, url: tls.url("/second"))
        let result = await session.send(request)
        // libcurl 8.17 reads the end of TLS with the response. The request then meets a stale connection.
        if !isSpoiled, result.error?.isStaleConnection == true { continue }
        expectEqual(result.text, "second")
        expectEqual(server.requests(.post).count, 1)
      }
    }

    /// From 8.22 on, libcurl looks at most once a second whether a kept connection has ended.
    @Test func bodyThatCanBeReadOnceIsSentOverAConnectionThatIsOpen() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      harness.server.route(.get, "/first", .text("ok").then(.close))
      harness.server.route(.post, "/", .text("posted"))
      for length in [3, nil] as [Int64?] {
        expectEqual(await harness.transfer("/first").text, "ok")
        #expect(await harness.server.waitForOpenConnections(count: 0))
        let body = TransportBody.stream(PieceStream(["abc"], length: length, isReplayable: false))
        expectEqual(await harness.transfer(.post, body: body).text, "posted")
      }
    }

    @Test(.disabled(if: CurlLibrary.isOld, "this libcurl sends the request again itself"), arguments: [false, true])
    func staleConnectionIsReportedAsStale(resets: Bool) async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      let end: LoopbackServer.Step = resets ? .reset : .close
      harness.server.route(.get, "/first", .text("ok").then(.awaitNextRequest(bytes: 1), end))
      harness.server.route(nil, "/second", .text("second"))
      for round in 0..<20 {
        expectEqual(await harness.transfer("/first").text, "ok")
        let method: HTTPMethod = round.isMultiple(of: 2) ? .get : .post
        let error = await harness.transfer(method, "/second").error
        #expect(error?.kind == .connectionLost && error?.isStaleConnection == true)
        expectEqual(error?.mayHaveReachedServer, true)
      }
      // No connection is opened in vain.
      expectEqual(harness.server.connectionsAccepted, 20)
    }

    /// The server has begun to respond, so the request must not count as one that a closed connection lost.
    @Test func connectionThatBreaksWithinAHeadIsNotStale() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      harness.server.route(.get, "/first", .text("ok"))
      for end in [LoopbackServer.Step.close, .reset] {
        harness.server.route(.post, "/second", .raw("HTTP/1.1 200 OK\r\nConte", then: end))
        expectEqual(await harness.transfer("/first").text, "ok")
        let error = await harness.transfer(.post, "/second").error
        #expect(error?.isStaleConnection == false && error?.mayHaveReachedServer == true)
      }
    }
  }
#endif
