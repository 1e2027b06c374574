/// A service that responds when the test says so, on the test's thread, and records its calls.
final class HeldService: JsonWebServiceable {
  private typealias Completion = @Sendable (Result<String, WebServiceError>) -> Void

  private struct State: Sendable {
    var sent: [HTTPHeaders] = []
    var open: [Int: Completion] = [:]
    var signOutCount = 0
  }

  private let state = Watched(State())
  fileprivate let engine: Engine

  /// - Parameter onSignOut: called when the first sign-out cancels requests.
  init(onSignOut: @escaping @Sendable () -> Void = {}) {
    engine = Engine { [state] in state.withLock { $0.signOutCount += 1 } }
    engine.startInBackground(for: engine.identity, { _ in onSignOut() }, begin: { _ in })
  }

  /// The header fields of each request.
  var sent: [HTTPHeaders] { state.withLock { $0.sent } }

  /// The number of requests without a response.
  var openCount: Int { state.withLock { $0.open.count } }

  /// The number of sign-outs.
  var signOutCount: Int { state.withLock { $0.signOutCount } }

  func waitForRequests(_ count: Int) async { await state.wait { $0.sent.count >= count } }

  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    let number = state.withLock { state in
      state.sent.append(Request(requestData).headers)
      state.open[state.sent.count] = { json in completion(json.flatMap(parser.result(ofJSON:))) }
      return state.sent.count
    }
    return WebServiceTask { [self] in complete(number, with: .failure(WebServiceError(.cancelled))) }
  }

  /// Responds to all open requests, in order.
  func respondToAll(_ json: String) {
    for number in state.withLock({ $0.open.keys.sorted() }) { complete(number, with: .success(json)) }
  }

  /// Completes the latest request as a renewal.
  func renew(to token: String, secondsRemaining: Int = 600, refreshToken: String? = nil) {
    let info = AuthenticationInfo(apiToken: token, secondsRemaining: secondsRemaining, refreshToken: refreshToken)
    let json = (try? JSONEncoder().encode(info)).map { String(decoding: $0, as: UTF8.self) }
    complete(sent.count, with: .success(json ?? ""))
  }

  /// Fails the latest request.
  func fail(_ kind: WebServiceError.Kind = .statusCode(503)) { fail(WebServiceError(kind)) }

  /// Fails the latest request.
  func fail(_ error: WebServiceError) { complete(sent.count, with: .failure(error)) }

  private func complete(_ number: Int, with result: Result<String, WebServiceError>) {
    state.withLock { $0.open.removeValue(forKey: number) }?(result)
  }
}

extension Engine {
  /// Creates an engine without a service.
  ///
  /// - Parameter forgetUser: called at each sign-out.
  convenience init(forgetUser: @escaping @Sendable () -> Void = {}) {
    self.init(
      session: MockURLSession(), tokenManager: FakeTokenManager(), reachability: FakeReachability(),
      configuration: WebServiceConfiguration(layers: [ForgettingLayer(forgetUser: forgetUser)]))
  }
}

private struct ForgettingLayer: EngineLayer {
  let mayRespondOffline = false
  let forgetUser: (@Sendable () -> Void)?

  func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol { next }
}

extension BasicAuthManager {
  /// Attaches a service that isn't a `JsonWebService`.
  func attach(to service: HeldService) { attach(service, ending: service.engine) }
}

extension ResponseParser {
  /// Parses a response with this body.
  func result(ofJSON json: String) -> Result<Value, WebServiceError> {
    let response = WebServiceResponse(statusCode: 200, url: URL(fileURLWithPath: "/"), body: Data(json.utf8))
    return Result { try parse(response) }.mapError {
      ($0 as? WebServiceError) ?? WebServiceError(.undecodableBody, underlying: $0)
    }
  }
}
