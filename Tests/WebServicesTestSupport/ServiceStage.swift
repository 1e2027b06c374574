import Foundation
import Testing
import WebServices
import WebServicesTesting

/// A service with a real transport, a server, a folder for downloads, and a virtual clock. Unless a test advances the
/// clock, only the transport's own timeouts occur.
final class ServiceStage: Sendable {
  let server: LoopbackServer
  let clock = VirtualClock()
  let service: JsonWebService
  let folder: URL

  convenience init(
    _ kind: TransportKind, tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) throws {
    try self.init(session: kind.makeSession(), tokenManager: tokenManager, configure: configure)
  }

  init(
    session: any URLSessionProtocol, tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) throws {
    server = try LoopbackServer()
    var configuration = WebServiceConfiguration(baseURL: server.baseURL, timeout: 30, clock: clock)
    configure(&configuration)
    service = JsonWebService(
      session: session, tokenManager: tokenManager, configuration: configuration)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("WebServicesTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit {
    service.invalidateAndCancel()
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The file that a download writes.
  var target: URL { folder.appendingPathComponent("target") }

  /// The names of all files in the folder, including hidden ones.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

  /// The content of the target; `nil` without the file.
  var content: Data? { try? Data(contentsOf: target) }

  /// Fails the test if any part of a request is left. With `open: 0` also if a connection is left.
  func expectNothingLeft(open count: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation) async {
    #expect(service.requestCount == 0, sourceLocation: sourceLocation)
    #expect(clock.pendingTimerCount == 0, sourceLocation: sourceLocation)
    guard let count else { return }
    #expect(await server.waitForOpenConnections(count: count, timeout: 20), sourceLocation: sourceLocation)
  }

  /// The error of `work`; `nil` if it succeeds.
  func error<Value>(of work: () async throws -> Value) async -> WebServiceError? {
    do {
      _ = try await work()
      return nil
    } catch {
      return error as? WebServiceError
    }
  }

  /// Starts a download, and collects its result.
  func download(
    _ request: TestRequest, to target: URL? = nil, on queue: DispatchQueue = DispatchQueue(label: "download")
  ) -> (task: WebServiceTask, results: Collector<Result<WebServiceResponse, WebServiceError>>) {
    let results = Collector<Result<WebServiceResponse, WebServiceError>>()
    let task = service.download(request, to: target ?? self.target, callbackQueue: queue) { results.append($0) }
    return (task, results)
  }
}

/// Bytes that differ by position.
func pattern(_ count: Int) -> Data {
  Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
}
