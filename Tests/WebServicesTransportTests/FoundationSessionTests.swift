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

  @Test func redirectToAnInvalidURLIsAResponse() async throws {
    let harness = try SocketHarness(.foundation)
    for location in ["//[", "http://h:-1", "?a%zz", "%", "::", "mailto:x", "/\\", "#", "", "ftp://h/"] {
      let response = LoopbackServer.Response.text("x", status: 302, headers: ["Location": location])
      #expect(await harness.transfer(serving: response).response?.statusCode == 302)
    }
    #expect(await harness.transfer(serving: .text("x", status: 301)).response?.statusCode == 301)
    #expect(harness.server.requestCount == 11)
  }

  @Test func forgottenSessionEndsWithItsLastTask() async throws {
    let server = try LoopbackServer.forTest()
    let gate = LoopbackServer.Gate()
    server.route(.get, "/", [.wait(gate), .head(status: 200, headers: ["Content-Length": "2"]), "ok"])
    weak var weakSession: FoundationSession?
    let texts = Collector<String?>()
    func start() {
      let session = FoundationSession()
      weakSession = session
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
  }

  @Test func streamBodyIsSentOnceByDataTasks() async throws {
    let harness = try SocketHarness(.foundation)
    harness.server.route(.post, "/", .text("ok", status: 201))
    var request = URLRequest(url: harness.server.url("/"))
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(data: Data("stream".utf8))
    let responses = Collector<(Data?, Int?, (any Error)?)>()
    for number in 1...2 {
      harness.session.resumeDataTask(with: request) { data, response, error in
        responses.append((data, (response as? HTTPURLResponse)?.statusCode, error))
      }
      await responses.waitForElements(number)
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
  #endif
}
