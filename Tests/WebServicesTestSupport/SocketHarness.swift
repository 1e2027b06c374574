@testable import WebServicesCore

/// A service with a real session and a server in the same process, a folder for downloads, and a virtual clock. Unless
/// a test advances the clock, only the session's own timeouts occur.
///
/// A test of the session alone sends with `transfer`, and a test of the engine sends with `service`. The suite needs
/// the trait `.leavesNothing`.
final class SocketHarness: Sendable {
  let server: LoopbackServer
  let session: any URLSessionProtocol
  let clock = VirtualClock()
  let service: JsonWebService
  private let temporary: TemporaryFolder

  convenience init(
    _ kind: TransportKind, tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    sourceLocation: SourceLocation = #_sourceLocation, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) throws {
    try self.init(
      session: kind.makeSession(), closingTimeout: kind.closesConnections ? 20 : nil, tokenManager: tokenManager,
      sourceLocation: sourceLocation, configure: configure)
  }

  /// - Parameter closingTimeout: the seconds in which all connections must close after the test; `nil` if they may stay
  ///   open.
  init(
    session: any URLSessionProtocol, closingTimeout: TimeInterval? = 20, address: LoopbackServer.Address = .ipv4,
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    sourceLocation: SourceLocation = #_sourceLocation, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) throws {
    server = try LoopbackServer(address)
    self.session = session
    var configuration = WebServiceConfiguration(baseURL: server.baseURL, timeout: 30, clock: clock)
    configure(&configuration)
    service = JsonWebService(
      session: session, tokenManager: tokenManager, reachability: FakeReachability(), configuration: configuration)
    temporary = try TemporaryFolder()
    LeavesNothing.addCheck(sourceLocation: sourceLocation) { [self] in await finish(closingTimeout) }
  }

  var folder: URL { temporary.url }

  /// The file that a download writes.
  var target: URL { folder.appendingPathComponent("target") }

  /// The names of all files in the folder, including hidden ones.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

  /// The content of the target; `nil` without the file.
  var content: Data? { try? Data(contentsOf: target) }

  /// Shuts everything down, and returns what was left before, and the connections that are left afterwards.
  private func finish(_ closingTimeout: TimeInterval?) async -> [String] {
    var leftovers: [String] = []
    await service.engine.drain(within: 2)
    if service.requestCount > 0 { leftovers.append("requests in progress") }
    // The transport's thread may have taken a timer, and be about to cancel it.
    for _ in 0..<100 where clock.pendingTimerCount > 0 { try? await Task.sleep(nanoseconds: 20_000_000) }
    if clock.pendingTimerCount > 0 { leftovers.append("timers") }
    service.invalidateAndCancel()
    leftovers += await server.closeAfterTest(timeout: closingTimeout)
    return leftovers
  }
}

extension LoopbackServer {
  /// Starts a server for a test that makes its own session. The server stops after the test, and a connection that is
  /// open then fails the test.
  static func forTest(
    _ address: LoopbackServer.Address = .ipv4, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> LoopbackServer {
    let server = try LoopbackServer(address)
    LeavesNothing.addCheck(sourceLocation: sourceLocation) { await server.closeAfterTest(timeout: 20) }
    return server
  }

  /// Waits until all connections are closed, if there is a timeout, stops the server, and returns what was left.
  fileprivate func closeAfterTest(timeout: TimeInterval?) async -> [String] {
    defer { stop() }
    guard let timeout else { return [] }
    return await waitForOpenConnections(count: 0, timeout: timeout) ? [] : ["open connections"]
  }
}

// MARK: - Transfers, past the engine

extension SocketHarness {
  func transfer(_ request: TransportRequest) async -> Result<WebServiceResponse, TransportError> {
    await session.send(request)
  }

  /// Sends a request that has these values.
  func transfer(
    _ method: HTTPMethod, _ path: String = "/", headers: HTTPHeaders = [:], body: TransportBody = .none
  ) async -> Result<WebServiceResponse, TransportError> {
    await transfer(TransportRequest(method: method, url: server.url(path), headers: headers, body: body))
  }

  func transfer(_ path: String) async -> Result<WebServiceResponse, TransportError> {
    await transfer(TransportRequest(url: server.url(path)))
  }

  /// Serves the response at `/` and requests it.
  func transfer(
    serving response: LoopbackServer.Response, _ change: (inout TransportRequest) -> Void = { _ in }
  ) async -> Result<WebServiceResponse, TransportError> {
    server.route(nil, "/", response)
    var request = TransportRequest(url: server.url("/"))
    change(&request)
    return await transfer(request)
  }
}

// MARK: - Requests of the service

extension SocketHarness {
  /// Starts a download, and collects its result.
  func download(
    _ request: TestRequest, to target: URL? = nil, on queue: DispatchQueue = DispatchQueue(label: "download")
  ) -> (task: WebServiceTask, results: Collector<Result<WebServiceResponse, WebServiceError>>) {
    let results = Collector<Result<WebServiceResponse, WebServiceError>>()
    let task = service.download(request, to: target ?? self.target, callbackQueue: queue) { results.append($0) }
    return (task, results)
  }
}
