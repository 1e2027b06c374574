@testable import WebServicesTestSupport
#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Testing
  import WebServices
  import WebServicesTesting

  /// The behavior of a caller's `URLSession` on Linux that the library can't prevent, because Foundation doesn't call
  /// the delegate for tasks with a completion handler. `FoundationSession` avoids all of it.
  @Suite(.enabled(if: TransportKind.isFoundationTested), .timeLimit(.minutes(1)), .leavesNothing)
  struct InjectedSessionTests {
    @Test("fact 1: a 401 with a Basic challenge ends only with a cancel")
    func basicChallengeHangs() async throws {
      let harness = try SocketHarness(.injected)
      harness.server.route(.get, "/secret", .unauthorized(#"Basic realm="test""#))
      harness.server.route(.get, "/", .text("ok"))
      let outcome = Collector<Result<WebServiceResponse, TransportError>>()
      let task = harness.session.transferTask(with: TransportRequest(url: harness.server.url("/secret"))) {
        outcome.append($0)
      }
      task.resume()
      await harness.server.waitForRequests()
      // The 401 has arrived by the time of these responses.
      for _ in 0..<5 { #expect(await harness.transfer("/").text == "ok") }
      task.cancel()
      await outcome.waitForElements(1)
      #expect(outcome.elements.first?.error?.kind == .cancelled)
    }

    @Test("facts 7, 12: redirects are followed with credentials and without the body")
    func redirectsCarryCredentialsWithoutTheBody() async throws {
      let harness = try SocketHarness(.injected)
      let other = try LoopbackServer()
      other.route(nil, "/", .text("elsewhere"))
      harness.server.route(.put, "/", .text("", status: 307, headers: ["Location": other.url("/").absoluteString]))
      let request = TransportRequest(
        method: .put, url: harness.server.url("/"), headers: ["X-Api-Key": "a"], body: .data(Data("b".utf8)))
      #expect(await harness.transfer(request).text == "elsewhere")
      #expect(other.requests.map { $0.headers["X-Api-Key"] } == ["a"])
      #expect(other.requests.map(\.text) == [""])
      other.stop()
    }

    @Test func completionOnAConcurrentQueueMayWait() async throws {
      struct Get: WebServiceRequestData {
        let path = "/"
      }
      let server = try LoopbackServer()
      server.route(.get, "/", .json("[1]"))
      let session = URLSession(configuration: .webServices, delegate: nil, delegateQueue: OperationQueue())
      let service = JsonWebService(session: session, configuration: WebServiceConfiguration(baseURL: server.url("/")))
      let queue = DispatchQueue(label: "completions", attributes: .concurrent)
      let models = Collector<[Int]?>()
      service.sendRequest(Get(), callbackQueue: queue) { (outer: WebServiceResult<[Int]>) in
        dispatchPrecondition(condition: .onQueue(queue))
        let isInnerOver = DispatchSemaphore(value: 0)
        service.sendRequest(Get(), callbackQueue: queue) { (inner: WebServiceResult<[Int]>) in
          models.append(try? inner.get())
          isInnerOver.signal()
        }
        isInnerOver.wait()
        models.append(try? outer.get())
      }
      await models.waitForElements(2)
      #expect(models.elements == [[1], [1]])
      service.invalidateAndCancel()
      server.stop()
    }

    @Test("fact 17: upper-case schemes and IPv6 literals fail")
    func upperCaseSchemesAndIPv6Fail() async throws {
      let harness = try SocketHarness(session: TransportKind.injected.makeSession(), address: .ipv6)
      let url = try #require(URL(string: "http://[::1]:\(harness.server.port)/"))
      #expect(await harness.transfer(TransportRequest(url: url)).error?.kind == .invalidRequest)
      let loud = try #require(URL(string: "HTTP://127.0.0.1/"))
      #expect(await harness.transfer(TransportRequest(url: loud)).error?.kind == .badFraming)
    }

    @Test("fact 20: errors are distinguished, but the response is missing")
    func errorsAreDistinguishedWithoutResponse() async throws {
      let harness = try SocketHarness(.injected)
      let cases: [(LoopbackServer.Malformation, TransportError.Kind)] = [
        (.bodyCutOff, .truncated), (.chunkSizeNotHexadecimal, .badFraming), (.nothing, .connectionLost),
      ]
      for (malformation, kind) in cases {
        let error = await harness.transfer(serving: .malformed(malformation)).error
        #expect(error?.kind == kind)
        #expect(error?.response == nil)
      }
    }
  }
#endif
