@testable import WebServicesTestSupport
@testable import WebServicesTransport

/// The request that a `URLSession` gets on each system.
struct FoundationSettingsTests {
  @Test func recommendedSessionKeepsNothing() {
    let configuration = URLSessionConfiguration.webServices
    #expect(configuration.urlCache == nil && configuration.httpCookieStorage == nil)
    #expect(configuration.httpCookieAcceptPolicy == .never && !configuration.httpShouldSetCookies)
    expectEqual(configuration.requestCachePolicy, .reloadIgnoringLocalCacheData)
    expectEqual(configuration.httpMaximumConnectionsPerHost, 64)
  }

  @Test func requestsAreCompleted() throws {
    let configuration = URLSessionConfiguration.webServices
    configuration.httpAdditionalHeaders = [1: "a", "X-A": "1", "X-B": "2"]
    configuration.timeoutIntervalForRequest = 0.1
    let settings = FoundationSettings(configuration)
    var request = TransportRequest(
      method: .put, url: try #require(URL(string: "HTTPS://me:secret@h.example/a")), headers: ["x-b": "3"],
      body: .data(Data("a".utf8)))
    let prepared = try settings.prepared(request, for: .apple)
    expectEqual(prepared.url.absoluteString, "https://h.example/a")
    expectEqual(prepared.headers, ["x-b": "3", "X-A": "1", "Content-Type": "application/octet-stream"])
    expectEqual(prepared.timeouts, TransportRequest.Timeouts(idle: 0.1))
    let onLinux = try settings.prepared(request, for: .openSource).headers
    expectEqual(onLinux["Accept-Encoding"], "identity")
    expectEqual(onLinux["Expect"], " ")
    request.headers["Range"] = "bytes=1-"
    expectEqual(try settings.prepared(request, for: .apple).headers["Accept-Encoding"], "identity")
    // Foundation on Linux traps for these values (fact 5).
    configuration.timeoutIntervalForRequest = .nan
    configuration.httpMaximumConnectionsPerHost = -1
    expectEqual(try FoundationSettings(configuration).prepared(request).timeouts, TransportRequest.Timeouts())
    for method in [HTTPMethod.get, .head] {
      request.method = method
      #expect(throws: TransportError.self) { try settings.prepared(request) }
    }
  }

  /// Foundation doesn't report when a connection is made.
  @Test func connectTimeoutAddsToIdleUntilTheFirstSignOfAResponse() {
    var state = FoundationTransfer.State()
    (state.start, state.lastActivity, state.timeouts) = (100, 100, .init(connect: 5, idle: 1))
    func expectNext(_ time: TimeInterval, _ kind: TransportError.Timeout?) {
      #expect(state.nextTimeout.time == time && state.nextTimeout.kind == kind)
    }
    expectNext(106, .idle)
    state.progress.sent = 1
    expectNext(101, .idle)
    state.progress.sent = 0
    state.head = WebServiceResponse(statusCode: 200, url: testURL("http://h.example/"))
    expectNext(101, .idle)
    state.redirectDeadline = 100.2
    expectNext(100.2, nil)
  }

  @Test func injectedConfiguredHeaderIsRefused() throws {
    let configuration = URLSessionConfiguration.webServices
    configuration.httpAdditionalHeaders = ["X-A\r\nX-Evil": "1"]
    let request = TransportRequest(url: try #require(URL(string: "https://h.example/a")))
    #expect(throws: TransportError.self) { try FoundationSettings(configuration).prepared(request) }
  }
}
