import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

import Testing
import WebServices
import WebServicesTesting

/// A transport under test.
enum TransportKind: String, CaseIterable, Sendable {
  #if os(Linux)
    /// The library's own transport over libcurl.
    case curl
  #endif
  /// The library's own transport over Foundation's `URLSession`.
  case foundation
  /// A caller's plain `URLSession`.
  case injected

  /// Whether Foundation's transports are tested. Only on demand, because Foundation on Linux can hang or crash the
  /// process of all other tests.
  static let isFoundationTested =
    ProcessInfo.processInfo.environment["WEBSERVICES_TESTS_WITH_FOUNDATION"] != nil

  static let allCases: [TransportKind] = {
    #if os(Linux)
      isFoundationTested ? [.curl, .foundation, .injected] : [.curl]
    #else
      [.foundation, .injected]
    #endif
  }()

  /// The library's own transports.
  static let own = allCases.filter { $0 != .injected }

  /// Whether this transport has Foundation's behavior on Linux. Each test that asks names the behavior.
  var isFoundationOnLinux: Bool {
    #if os(Linux)
      self != .curl
    #else
      false
    #endif
  }

  var isFoundation: Bool { self == .foundation || self == .injected }

  func makeSession() throws -> any URLSessionProtocol {
    switch self {
    #if os(Linux)
      case .curl:
        var configuration = TransportConfiguration()
        configuration.proxy = .none
        return try CurlSession(configuration: configuration)
    #endif
    case .foundation: return FoundationSession()
    case .injected: return URLSession(configuration: .webServices)
    }
  }
}

/// A server and a session for one test.
final class TransportBench: Sendable {
  let server: LoopbackServer
  let session: any URLSessionProtocol

  init(_ kind: TransportKind) throws {
    server = try LoopbackServer()
    session = try kind.makeSession()
  }

  init(session: any URLSessionProtocol, address: LoopbackServer.Address = .ipv4) throws {
    server = try LoopbackServer(address)
    self.session = session
  }

  deinit {
    session.invalidateAndCancel()
    server.stop()
  }

  func send(_ request: TransportRequest) async -> Result<WebServiceResponse, TransportError> {
    await session.send(request)
  }

  func get(_ path: String) async -> Result<WebServiceResponse, TransportError> {
    await send(TransportRequest(url: server.url(path)))
  }

  /// Serves the response at `/` and requests it.
  func get(
    answer: LoopbackServer.Response, _ change: (inout TransportRequest) -> Void = { _ in }
  ) async -> Result<WebServiceResponse, TransportError> {
    server.route(nil, "/", answer)
    var request = TransportRequest(url: server.url("/"))
    change(&request)
    return await send(request)
  }
}

extension URLSessionProtocol {
  func send(_ request: TransportRequest) async -> Result<WebServiceResponse, TransportError> {
    await withCheckedContinuation { continuation in
      transferTask(with: request) { continuation.resume(returning: $0) }.resume()
    }
  }

  /// Sends a request, and measures the seconds until its completion.
  func timed(
    _ request: TransportRequest
  ) async -> (result: Result<WebServiceResponse, TransportError>, seconds: TimeInterval) {
    await withCheckedContinuation { continuation in
      let start = DispatchTime.now().uptimeNanoseconds
      transferTask(with: request) { result in
        let seconds = TimeInterval(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
        continuation.resume(returning: (result, seconds))
      }.resume()
    }
  }
}

extension Result where Success == WebServiceResponse, Failure == TransportError {
  var response: WebServiceResponse? {
    if case .success(let response) = self { response } else { nil }
  }

  var error: TransportError? {
    if case .failure(let error) = self { error } else { nil }
  }

  var text: String? { response.map { String(decoding: $0.body, as: UTF8.self) } }
}

/// Counts, and lets a test wait for a count.
final class Tally: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let value = Locked(0)

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  var count: Int { value.withLock { $0 } }

  func add() {
    value.withLock { $0 += 1 }
    continuation.yield()
  }

  func wait(for count: Int) async {
    guard self.count < count else { return }
    for await _ in stream where self.count >= count { return }
  }
}
