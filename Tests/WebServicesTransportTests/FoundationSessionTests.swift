import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

import Testing
@testable import WebServicesTestSupport
import WebServices
@testable import WebServicesHTTP
@testable import WebServicesTransport
import WebServicesTesting

/// Features that only `FoundationSession` has.
@Suite(.enabled(if: TransportKind.isFoundationTested), .timeLimit(.minutes(1)), .leavesNothing)
struct FoundationSessionTests {
  @Test("fact 5: a configuration that would crash Foundation is accepted")
  func fatalConfigurationIsAccepted() async throws {
    let configuration = URLSessionConfiguration.webServices
    configuration.httpAdditionalHeaders = [1: "a", "X-Number": 2, "X-A": "1", "X-B": "2", "Content-Length": "9"]
    configuration.timeoutIntervalForRequest = .nan
    configuration.timeoutIntervalForResource = .infinity
    configuration.httpMaximumConnectionsPerHost = -1
    let harness = try SocketHarness(session: FoundationSession(configuration: configuration))
    #expect(await harness.transfer(serving: .text("ok")) { $0.headers["x-b"] = "3" }.text == "ok")
    let sent = try #require(harness.server.requests.first?.headers)
    #expect(sent["X-A"] == "1")
    #expect(sent.values(for: "X-B") == ["3"])
    #expect(sent["X-Number"] == nil)
    #expect(sent["Content-Length"] == nil)
  }

  @Test("fact 8: the configuration's headers are checked")
  func configuredHeadersAreChecked() async throws {
    let configuration = URLSessionConfiguration.webServices
    configuration.httpAdditionalHeaders = ["X-A\r\nX-Evil": "1"]
    let harness = try SocketHarness(session: FoundationSession(configuration: configuration))
    #expect(await harness.transfer(serving: .text("ok")).error?.kind == .invalidRequest)
    #expect(harness.server.connectionsAccepted == 0)
  }

  @Test("fact 14: the configuration's timeouts are kept to the millisecond")
  func configuredTimeoutsAreKept() async throws {
    let configuration = URLSessionConfiguration.webServices
    configuration.timeoutIntervalForRequest = 0.1
    let harness = try SocketHarness(session: FoundationSession(configuration: configuration))
    #expect(await harness.transfer(serving: .never).error?.kind == .timedOut(.idle))
    configuration.timeoutIntervalForRequest = 60
    configuration.timeoutIntervalForResource = 0.1
    let other = try SocketHarness(session: FoundationSession(configuration: configuration))
    #expect(await other.transfer(serving: .never).error?.kind == .timedOut(.whole))
  }

  @Test func redirectToAnInvalidURLIsAResponse() async throws {
    let harness = try SocketHarness(.foundation)
    for location in ["//[", "http://h:-1", "?a%zz", "%", "::", "mailto:x", "/\\", "#", "", "ftp://h/"] {
      let response = LoopbackServer.Response.text("x", status: 302, headers: ["Location": location])
      #expect(await harness.transfer(serving: response).response?.statusCode == 302)
    }
    #expect(await harness.transfer(serving: .text("x", status: 301)).response?.statusCode == 301)
    #expect(harness.server.requestCount == 11)
  }

  @Test(arguments: [HTTPMethod.get, .post])
  func finishingSessionLetsTasksEnd(_ method: HTTPMethod) async throws {
    let server = try LoopbackServer.forTest()
    let gate = LoopbackServer.Gate()
    server.route(nil, "/", [.wait(gate), .head(status: 200, headers: ["Content-Length": "2"]), "ok"])
    let session = FoundationSession()
    async let result = session.send(TransportRequest(method: method, url: server.url("/")))
    await gate.waitUntilReached()
    session.finishTasksAndInvalidate()
    #expect(await session.send(TransportRequest(url: server.url("/"))).error?.kind == .invalidated)
    gate.open()
    #expect(await result.text == "ok")
  }

  @Test func forgottenSessionEndsWithItsLastTask() async throws {
    let server = try LoopbackServer.forTest()
    let gate = LoopbackServer.Gate()
    server.route(.get, "/", [.wait(gate), .head(status: 200, headers: ["Content-Length": "2"]), "ok"])
    weak var weakSession: FoundationSession?
    weak var weakConnections: FoundationConnections?
    let texts = Collector<String?>()
    func start() {
      let session = FoundationSession()
      weakSession = session
      weakConnections = session.connections
      session.transferTask(with: TransportRequest(url: server.url("/"))) { texts.append($0.text) }.resume()
    }
    start()
    await gate.waitUntilReached()
    #expect(weakSession != nil)
    gate.open()
    await texts.waitForElements(1)
    #expect(texts.elements == ["ok"])
    #expect(await server.waitForOpenConnections(count: 0))
    #expect(weakSession == nil)
    #expect(weakConnections == nil)
  }

  @Test func unusedSessionsLeaveNothing() async throws {
    let server = try LoopbackServer.forTest()
    weak var weakTransfer: FoundationTransfer?
    weak var weakConnections: FoundationConnections?
    for _ in 0..<20 {
      let session = FoundationSession()
      weakConnections = session.connections
      let transfer = FoundationTransfer(
        TransportRequest(url: server.url("/")),
        plan: .failure(.invalid("unused")), session: session, completion: { _ in })
      weakTransfer = transfer
      _ = session.transferTask(with: TransportRequest(url: server.url("/"))) { _ in }
    }
    #expect(weakTransfer == nil)
    #expect(weakConnections == nil)
    #expect(server.connectionsAccepted == 0)
  }

  @Test func streamBodyIsSentOnceByDataTasks() async throws {
    let harness = try SocketHarness(.foundation)
    harness.server.route(.post, "/", .text("ok", status: 201))
    var request = URLRequest(url: harness.server.url("/"))
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(data: Data("stream".utf8))
    let responses = Collector<(Data?, Int?, (any Error)?)>()
    for _ in 0..<2 {
      harness.session.resumeDataTask(with: request) { data, response, error in
        responses.append((data, (response as? HTTPURLResponse)?.statusCode, error))
      }
      await responses.waitForElements(responses.elements.count + 1)
    }
    let first = try #require(responses.elements.first)
    #expect(first.0 == Data("ok".utf8))
    #expect(first.1 == 201)
    #expect(harness.server.requests.map(\.text) == ["stream"])
    // A stream can be read only once.
    let second = try #require(responses.elements.last?.2 as? URLError)
    #expect((second.userInfo[NSUnderlyingErrorKey] as? TransportError)?.kind == .file)
  }

  #if os(Linux)
    @Test("fact 13: an unrequested response is not taken for the next one", arguments: [HTTPMethod.get, .post])
    func unsolicitedResponseIsNeverDelivered(_ method: HTTPMethod) async throws {
      let harness = try SocketHarness(session: FoundationSession())
      let (isKept, isPushed) = (LoopbackServer.Gate(), LoopbackServer.Gate())
      let push = LoopbackServer.Step.text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
      harness.server.route(.get, "/first", .text("ok").then(.wait(isKept), push, .wait(isPushed)))
      harness.server.route(method, "/second", .text("second"))
      #expect(await harness.transfer("/first").text == "ok")
      isKept.open()
      let request = TransportRequest(method: method, url: harness.server.url("/second"), timeouts: .init(whole: 20))
      #expect(await harness.transfer(request).text == "second")
      isPushed.open()
    }

    @Test("fact 13: own connections are counted per host")
    func ownConnectionsArePerHost() async throws {
      let configuration = URLSessionConfiguration.webServices
      configuration.httpMaximumConnectionsPerHost = 1
      let harness = try SocketHarness(session: FoundationSession(configuration: configuration))
      let other = try LoopbackServer.forTest()
      other.route(.get, "/", .text("other"))
      let gate = LoopbackServer.Gate()
      harness.server.route(.get, "/held", [.wait(gate), .head(status: 200, headers: ["Content-Length": "0"])])
      async let held = harness.transfer("/held")
      await gate.waitUntilReached()
      #expect(await harness.transfer(TransportRequest(url: other.url("/"))).text == "other")
      gate.open()
      #expect(await held.response?.statusCode == 200)
    }

    @Test("fact 13: own connections are limited and never reused")
    func ownConnectionsAreLimitedAndNeverReused() async throws {
      let configuration = URLSessionConfiguration.webServices
      configuration.httpMaximumConnectionsPerHost = 2
      let harness = try SocketHarness(session: FoundationSession(configuration: configuration))
      let gate = LoopbackServer.Gate()
      harness.server.route(.post, "/held", [.wait(gate), .head(status: 200, headers: ["Content-Length": "0"])])
      harness.server.route(.post, "/", .text("ok"))
      let results = Collector<Int?>()
      for _ in 0..<2 {
        let request = TransportRequest(method: .post, url: harness.server.url("/held"))
        harness.session.transferTask(with: request) { results.append($0.response?.statusCode) }.resume()
      }
      await harness.server.waitForRequests(count: 2)
      let waiting = TransportRequest(method: .post, url: harness.server.url("/"))
      harness.session.transferTask(with: waiting) { results.append($0.response?.statusCode) }.resume()
      let cancelled = harness.session.transferTask(with: waiting) { result in
        #expect(result.error?.kind == .cancelled)
        #expect(result.error?.mayHaveReachedServer == false)
        results.append(nil)
      }
      cancelled.resume()
      cancelled.cancel()
      await results.waitForElements(1)
      #expect(harness.server.connectionsAccepted == 2)
      gate.open()
      await results.waitForElements(4)
      #expect(results.elements == [nil, 200, 200, 200])
      #expect(harness.server.connectionsAccepted == 3)
      #expect(await harness.server.waitForOpenConnections(count: 0))
    }
  #endif
}
