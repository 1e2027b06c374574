@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  /// Features that only `CurlSession` has: sockets, addresses, proxies, and older versions of libcurl.
  @Suite(.timeLimit(.minutes(5)), .leavesNothing)
  struct CurlConnectionTests {
    /// A path that no file has. The path of a socket must be short.
    private func socketPath() -> String {
      let name = "feather-\(UUID().uuidString.prefix(8)).sock"
      return FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    }

    @Test func unixSocketsAreReached() async throws {
      let path = socketPath()
      let harness = try SocketHarness(
        session: try CurlSession.forTest { $0.unixSocketPath = path }, address: .unixSocket(path))
      expectEqual(await harness.transfer(serving: .text("ok")).text, "ok")
      // A connection beyond the limit is closed after its response. The others stay open.
      var metrics: [WebServiceResponse.Metrics?] = []
      for host in Array(0..<300) + [0, 299] {
        let url = testURL("http://h\(host).invalid/")
        metrics.append(await harness.session.send(TransportRequest(url: url)).response?.metrics)
      }
      expectEqual(metrics.suffix(2).map(\.?.isReusedConnection), [true, false])
    }

    @Test func addressesOfAHostReplaceItsLookup() async throws {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("ok"))
      let session = try CurlSession.forTest { $0.addresses = ["feather.invalid:\(server.port)": "[::1],127.0.0.1"] }
      defer { session.invalidateAndCancel() }
      let url = testURL("http://feather.invalid:\(server.port)/")
      expectEqual(await session.send(TransportRequest(url: url)).text, "ok")
      expectEqual(server.requests.first?.headers["Host"], "feather.invalid:\(server.port)")
      let other = await session.send(TransportRequest(url: testURL("http://feather.invalid:1/")))
      expectEqual(other.error?.kind, .nameLookup)
    }

    /// With the time to connect, libcurl would try the last address after some 20 seconds.
    @Test func addressesThatRefuseConnectionsCostNoTime() async throws {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("ok"))
      let session = try CurlSession.forTest {
        $0.addresses = ["feather.invalid:\(server.port)": "127.0.0.2,127.0.0.3,127.0.0.4,127.0.0.1"]
      }
      defer { session.invalidateAndCancel() }
      let request = TransportRequest(url: testURL("http://feather.invalid:\(server.port)/"))
      let response = try await session.send(request).get()
      #expect(response.metrics?.connect ?? 60 < 5)
    }

    @Test func missingSocketIsNamed() async throws {
      let path = socketPath()
      let session = try CurlSession.forTest { $0.unixSocketPath = path }
      let error = await session.send(TransportRequest(url: testURL("http://feather.invalid/"))).error
      #expect(error?.kind == .cannotConnect && error?.mayHaveReachedServer == false)
      expectEqual(error?.message.hasPrefix("the Unix domain socket \(path) can't be reached: No such file"), true)
      // A program that calls ever new hosts doesn't fill the memory.
      for host in 0..<300 { _ = await session.send(TransportRequest(url: testURL("http://h\(host).invalid/"))) }
      let driver = session.driver
      expectEqual(driver.withLock { driver.loop?.origins.count }, 256)
      session.invalidateAndCancel()
    }

    /// libcurl rejects texts of more than 8 MB. An older version rejects an unknown option in the same way.
    @Test func refusedOptionsFailClosed() async throws {
      let tooLong = String(repeating: "/", count: 8_000_001)
      let changes: [(inout TransportConfiguration) -> Void] = [
        { $0.pinnedPublicKeys = [tooLong] }, { $0.trust = .file(tooLong) }, { $0.unixSocketPath = tooLong },
        { $0.clientCertificate = .pem(certificatePath: tooLong, keyPath: "/key") }, { $0.proxy = .url(tooLong) },
      ]
      for change in changes {
        let session = try CurlSession.forTest(library: CurlLibrary.found.get(), change)
        for _ in 0..<2 {
          let error = await session.send(TransportRequest(url: testURL("https://192.0.2.1/"))).error
          #expect(error?.kind == .invalidRequest && error?.mayHaveReachedServer == false)
          #expect(
            error?.message.contains("refused option") == true && (error?.underlying as? NSError)?.domain == "libcurl")
        }
        let driver = session.driver
        expectEqual(driver.withLock { driver.loop?.orphans.count }, 0)
        session.invalidateAndCancel()
      }
    }

    @Test func refusedURLDoesNotReuseThePreviousURL() async throws {
      let harness = try SocketHarness(session: try CurlSession.forTest())
      expectEqual(await harness.transfer(serving: .text("ok")).text, "ok")
      let long = harness.server.url("/" + String(repeating: "a", count: 8_000_001))
      let error = await harness.transfer(TransportRequest(url: long)).error
      expectEqual(error?.kind, .invalidRequest)
      expectEqual(harness.server.requestCount, 1)
      expectEqual(await harness.transfer("/").text, "ok")
    }

    @Test func fieldsAreSentByteForByte() async throws {
      let harness = try SocketHarness(session: try CurlSession.forTest())
      let names = ["Caf\u{E9}", "Cafe\u{301}", "Caf\u{E9}"]
      for name in names { _ = await harness.transfer(serving: .text("ok")) { $0.headers = ["X-File-Name": name] } }
      let sent = harness.server.requests.compactMap { $0.headers["X-File-Name"].map { Array($0.utf8) } }
      expectEqual(sent, names.map { Array($0.utf8) })
    }

    /// A proxy would see the requests in the clear, and its own machine is another one.
    @Test func onlyRequestsToOtherMachinesGoThroughTheProxy() async throws {
      let (server, proxy) = (try LoopbackServer.forTest(), try LoopbackServer.forTest())
      for server in [server, proxy] { server.route(.get, "/a%2Fb", .text("ok")) }
      let pin = Data(count: 32).base64EncodedString()
      for (pins, hosts) in [([pin], ["127.0.0.1", "localhost"]), ([], ["127.0.0.1", "localhost", "feather.invalid"])] {
        let session = try CurlSession.forTest {
          $0.proxy = .url("http://127.0.0.1:\(proxy.port)")
          $0.pinnedPublicKeys = pins
        }
        for host in hosts {
          let url = testURL("http://\(host):\(server.port)/a%2Fb")
          expectEqual(await session.send(TransportRequest(url: url)).text, "ok")
        }
        session.invalidateAndCancel()
      }
      expectEqual(proxy.requests.map(\.target), ["http://feather.invalid:\(server.port)/a%2Fb"])
    }

    /// A container may have no interface but the loopback.
    @Test func socketAndLocalProxyNeedNoInterface() async throws {
      let path = socketPath()
      let (socket, proxy) = (try LoopbackServer(.unixSocket(path)), try LoopbackServer.forTest())
      defer { socket.stop() }
      let settings: [(inout TransportConfiguration) -> Void] = [
        { $0.unixSocketPath = path }, { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") },
      ]
      for (server, set) in zip([socket, proxy], settings) {
        server.route(.get, "/", .text("ok"))
        var configuration = WebServiceConfiguration(baseURL: testURL("http://feather.invalid"))
        set(&configuration.transport)
        let service = JsonWebService(
          tokenManager: FakeTokenManager(), reachability: FakeReachability(isConnected: false),
          configuration: configuration)
        expectEqual(try? await service.sendRequest(Request("/"), parser: .text), "ok")
        service.invalidateAndCancel()
      }
    }

    /// For libcurl, all hosts behind a proxy are one, and from 8.21 on all hosts behind a socket.
    @Test(arguments: [true, false])
    func hostsBehindAProxyOrASocketDoNotShareTheirLimit(hasProxy: Bool) async throws {
      let path = socketPath()
      let proxy = try LoopbackServer.forTest(hasProxy ? .ipv4 : .unixSocket(path))
      let gate = LoopbackServer.Gate()
      proxy.route(.get, "/", LoopbackServer.Response.text("ok").beforeHead(.wait(gate)))
      let session = try CurlSession.forTest {
        if hasProxy { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") } else { $0.unixSocketPath = path }
        $0.connectionsPerHost = 1
      }
      defer { session.invalidateAndCancel() }
      let texts = Collector<String?>()
      for host in ["one", "two"] {
        let request = TransportRequest(url: testURL("http://\(host).invalid/"))
        session.transferTask(with: request) { texts.append($0.text) }.resume()
      }
      #expect(await gate.waitUntilReached(count: 2, timeout: 10))
      gate.open()
      expectEqual(await texts.elements(2), ["ok", "ok"])
    }

    @Test func proxyThatRefusesThePasswordIsNamed() async throws {
      let server = try LoopbackServer.forTest()
      let refusal = LoopbackServer.Response.text("no", status: 407, headers: ["Proxy-Authenticate": "Basic"])
      for method in [HTTPMethod.get, HTTPMethod(rawValue: "CONNECT")] { server.route(method, "*", refusal) }
      var configuration = WebServiceConfiguration()
      configuration.transport.proxy = .url("http://me:wrong@127.0.0.1:\(server.port)")
      let service = JsonWebService(
        tokenManager: FakeTokenManager(), reachability: FakeReachability(), configuration: configuration)
      for (scheme, kind) in [("http", WebServiceError.Kind.statusCode(407)), ("https", .sessionFailure)] {
        let error = await thrown {
          try await service.sendRequest(Request("\(scheme)://feather.invalid/"), parser: .nothing)
        }
        expectEqual(error?.kind, kind)
        // The proxy has got a CONNECT, and the server nothing. A libcurl before 7.80 can't tell them apart.
        if scheme == "https" {
          let mayHaveReached = error?.underlying(as: TransportError.self)?.mayHaveReachedServer
          expectEqual(mayHaveReached, try !CurlLibrary.found.get().hasPrerequest)
        }
        expectEqual(
          error?.message, "the proxy refused the name or the password (407); see TransportConfiguration.proxy")
        expectEqual(error?.friendlyDescription, "The proxy refused the user name or the password.")
      }
      service.invalidateAndCancel()
    }

    @Test func postAvoidsAStaleConnectionOnOldLibraries() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest(library: .old()))
      harness.server.route(.get, "/", .text("ok").thenSwallowingNextRequest().then(.close))
      harness.server.route(.post, "/post", .text("ok"))
      expectEqual(await harness.transfer("/").text, "ok")
      expectEqual(await harness.transfer(.post, "/post").text, "ok")
      expectEqual(harness.server.requests(.post).count, 1)
    }

    @Test func foundationDataTasksGetResponsesAndErrors() async throws {
      let harness = try SocketHarness(session: try CurlSession.forTest())
      harness.server.route(.post, "/", .text("ok", status: 201, headers: ["X-A": "1", "x-a": "2"]))
      var request = URLRequest(url: harness.server.url("/"))
      request.httpMethod = "POST"
      request.httpBody = Data("abc".utf8)
      request.setValue("a/b", forHTTPHeaderField: "Content-Type")
      let ok = await result(of: request, harness)
      #expect(ok.response?.statusCode == 201 && ok.data == Data("ok".utf8) && ok.error == nil)
      request.httpBody = nil
      request.httpBodyStream = InputStream(data: Data("stream".utf8))
      expectEqual(await result(of: request, harness).response?.statusCode, 201)
      expectEqual(harness.server.requests.map(\.text), ["abc", "stream"])
      #expect(await result(of: request, harness).error != nil)
      request.httpBody = Data()
      harness.server.route(.post, "/", .text("abc", headers: ["Content-Length": "10", "Connection": "close"]))
      let failed = await result(of: request, harness)
      expectEqual(failed.error?.code, .networkConnectionLost)
      expectEqual((failed.error?.userInfo[NSUnderlyingErrorKey] as? TransportError)?.kind, .truncated)
      expectEqual(failed.data, Data("abc".utf8))
    }

    private func result(
      of request: URLRequest, _ harness: SocketHarness
    ) async -> (data: Data?, response: HTTPURLResponse?, error: URLError?) {
      await withCheckedContinuation { continuation in
        harness.session.resumeDataTask(with: request) { data, response, error in
          continuation.resume(returning: (data, response as? HTTPURLResponse, error as? URLError))
        }
      }
    }
  }
#endif
