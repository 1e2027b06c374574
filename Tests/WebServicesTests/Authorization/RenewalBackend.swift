import Foundation
import WebServices
import WebServicesTesting

/// A service that renews tokens when the test says so, and counts what it is asked.
final class RenewalBackend: JsonWebServiceable, AuthorizedRequestsCancelling {
  private typealias Completion = @Sendable (Result<String, WebServiceError>) -> Void

  private struct State: Sendable {
    var sent: [HTTPHeaders] = []
    var open: [Int: Completion] = [:]
    var signOutCount = 0
  }

  private let state = Watched(State())
  private let onSignOut: @Sendable () -> Void

  init(onSignOut: @escaping @Sendable () -> Void = {}) {
    self.onSignOut = onSignOut
  }

  /// The header fields of each renewal that was sent.
  var sent: [HTTPHeaders] { state.withLock { $0.sent } }

  /// How many renewals have no answer yet.
  var openCount: Int { state.withLock { $0.open.count } }

  /// How often the service was told to end its authorized requests.
  var signOutCount: Int { state.withLock { $0.signOutCount } }

  func waitForRenewals(_ count: Int) async {
    await state.wait { $0.sent.count >= count }
  }

  func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    let number = state.withLock { state in
      state.sent.append(requestData.headers)
      state.open[state.sent.count] = { answer in completion(answer.flatMap(parser.result(ofJSON:))) }
      return state.sent.count
    }
    return WebServiceTask { [self] in end(number, with: .failure(WebServiceError(.cancelled))) }
  }

  func cancelAuthorizedRequests() {
    state.withLock { $0.signOutCount += 1 }
    onSignOut()
  }

  /// Answers the renewal that was sent last, on the test's own thread.
  func renew(to token: String, secondsRemaining: Int = 600, refreshToken: String? = nil) {
    let info = AuthenticationInfo(apiToken: token, secondsRemaining: secondsRemaining, refreshToken: refreshToken)
    let json = (try? JSONEncoder().encode(info)).map { String(decoding: $0, as: UTF8.self) }
    end(sent.count, with: .success(json ?? ""))
  }

  /// Fails the renewal that was sent last.
  func fail(_ kind: WebServiceError.Kind = .statusCode(503)) {
    fail(WebServiceError(kind))
  }

  /// Fails the renewal that was sent last.
  func fail(_ error: WebServiceError) {
    end(sent.count, with: .failure(error))
  }

  private func end(_ number: Int, with answer: Result<String, WebServiceError>) {
    state.withLock { $0.open.removeValue(forKey: number) }?(answer)
  }
}

/// Renews with the refresh token in a header of its own.
struct RefreshRequest: WebServiceRequestData {
  var token: RenewableToken
  var authorization = WebServiceAuthorizationType.none

  var path: String { "refresh" }
  var method: HTTPMethod { .post }
  var headers: HTTPHeaders { ["api-token": token.apiToken, "refresh": token.refreshToken ?? "none"] }
}

/// A manager on a virtual clock, with what renews its token.
struct RenewalBench {
  let clock = VirtualClock(now: 1000)
  let backend = RenewalBackend()
  let manager: BasicAuthManager

  init(storage: any TokenStorage = InMemoryTokenStorage(), renewalTimeout: TimeInterval = 30) {
    manager = BasicAuthManager(storage: storage, clock: clock, renewalTimeout: renewalTimeout)
    manager.renewTokens(from: .refreshToken { RefreshRequest(token: $0) })
    manager.attach(to: backend)
  }

  /// Asks for a token; the answer may come later.
  func request() -> Collector<TokenAnswer> {
    let answers = Collector<TokenAnswer>()
    manager.ensureValidToken(ofType: .bearer) { answers.append(TokenAnswer($0)) }
    return answers
  }

  /// Tells that a token was refused; the answer may come later.
  func replace(_ token: AccessToken) -> Collector<TokenAnswer> {
    let answers = Collector<TokenAnswer>()
    manager.replaceRefusedToken(token, for: nil) { answers.append(TokenAnswer($0)) }
    return answers
  }
}

/// The response of a manager, in a form that can be compared.
enum TokenAnswer: Equatable, Sendable {
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
