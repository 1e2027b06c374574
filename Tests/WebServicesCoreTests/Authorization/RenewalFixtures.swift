@testable import WebServicesTestSupport

/// A renewal with the refresh token in its own header field.
struct RefreshRequest: WebServiceRequestData {
  var token: AuthenticationInfo
  var authorization = WebServiceAuthorizationType.none

  var path: String { "refresh" }
  var method: HTTPMethod { .post }
  var headers: HTTPHeaders { ["api-token": token.apiToken, "refresh": token.refreshToken ?? "none"] }
}

/// A source that is made of a closure.
struct ClosureSource: TokenSource {
  typealias Completion = @Sendable (Result<AuthenticationInfo, any Error>) -> Void

  var grantsFirstToken = false
  var needsRefreshToken = false
  /// Whether a 400 ends the session.
  var isStrict = false
  var request: @Sendable (AuthenticationInfo?, TokenSender, @escaping Completion) -> Void = {
    former, sender, completion in
    sender.send(
      RefreshRequest(token: former ?? AuthenticationInfo(apiToken: "none", secondsRemaining: 0)), completion: completion
    )
  }

  func requestToken(
    replacing former: AuthenticationInfo?, through sender: TokenSender, completion: @escaping Completion
  ) { request(former, sender, completion) }

  func endsSession(_ error: any Error) -> Bool { isStrict && (error as? WebServiceError)?.kind == .statusCode(400) }
}

/// Makes a manager whose renewals the test completes, on a virtual clock.
func renewingManager(
  _ source: any TokenSource = .refreshToken { RefreshRequest(token: $0) },
  storage: any TokenStorage = InMemoryTokenStorage(), renewalTimeout: TimeInterval = 30
) -> (manager: BasicAuthManager, backend: HeldService, clock: VirtualClock) {
  let (backend, clock) = (HeldService(), VirtualClock(now: 1000))
  let manager = BasicAuthManager(storage: storage, clock: clock, renewalTimeout: renewalTimeout, source: source)
  manager.attach(to: backend)
  return (manager, backend, clock)
}

extension BasicAuthManager {
  /// Requests a token, which may arrive later.
  func requestToken() -> Collector<TokenOutcome> {
    let outcomes = Collector<TokenOutcome>()
    ensureValidToken(ofType: .bearer) { outcomes.append(TokenOutcome($0)) }
    return outcomes
  }
}

/// The outcome of a manager's call, in a form that can be compared.
enum TokenOutcome: Equatable, Sendable {
  case token(String, generation: Int)
  case refused(TokenError)
  case failed(WebServiceError.Kind)
  case other

  init(_ result: Result<AccessToken, any Error>) {
    switch result {
    case .success(let token): self = .token(token.value, generation: token.generation)
    case .failure(let error as TokenError): self = .refused(error)
    case .failure(let error as WebServiceError): self = .failed(error.kind)
    case .failure: self = .other
    }
  }
}
