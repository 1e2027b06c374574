@testable import WebServicesTestSupport
import Foundation
import WebServices
import WebServicesTesting

/// A service that renews tokens when the test says so, and records its calls.
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

  /// The header fields of each renewal.
  var sent: [HTTPHeaders] { state.withLock { $0.sent } }

  /// The number of renewals without a response.
  var openCount: Int { state.withLock { $0.open.count } }

  /// The number of calls that cancelled the authorized requests.
  var signOutCount: Int { state.withLock { $0.signOutCount } }

  func waitForRenewals(_ count: Int) async {
    await state.wait { $0.sent.count >= count }
  }

  func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    let number = state.withLock { state in
      state.sent.append(Request(requestData).headers)
      state.open[state.sent.count] = { answer in completion(answer.flatMap(parser.result(ofJSON:))) }
      return state.sent.count
    }
    return WebServiceTask { [self] in end(number, with: .failure(WebServiceError(.cancelled))) }
  }

  func cancelAuthorizedRequests() {
    state.withLock { $0.signOutCount += 1 }
    onSignOut()
  }

  /// Completes the latest renewal on the test's thread.
  func renew(to token: String, secondsRemaining: Int = 600, refreshToken: String? = nil) {
    let info = AuthenticationInfo(apiToken: token, secondsRemaining: secondsRemaining, refreshToken: refreshToken)
    let json = (try? JSONEncoder().encode(info)).map { String(decoding: $0, as: UTF8.self) }
    end(sent.count, with: .success(json ?? ""))
  }

  /// Fails the latest renewal.
  func fail(_ kind: WebServiceError.Kind = .statusCode(503)) {
    fail(WebServiceError(kind))
  }

  /// Fails the latest renewal.
  func fail(_ error: WebServiceError) {
    end(sent.count, with: .failure(error))
  }

  private func end(_ number: Int, with answer: Result<String, WebServiceError>) {
    state.withLock { $0.open.removeValue(forKey: number) }?(answer)
  }
}

/// A renewal with the refresh token in its own header field.
struct RefreshRequest: WebServiceRequestData {
  var token: RenewableToken
  var authorization = WebServiceAuthorizationType.none

  var path: String { "refresh" }
  var method: HTTPMethod { .post }
  var headers: HTTPHeaders { ["api-token": token.apiToken, "refresh": token.refreshToken ?? "none"] }
}

/// A manager with a virtual clock and a backend for renewals.
struct RenewalBench {
  let clock = VirtualClock(now: 1000)
  let backend = RenewalBackend()
  let manager: BasicAuthManager

  init(storage: any TokenStorage = InMemoryTokenStorage(), renewalTimeout: TimeInterval = 30) {
    manager = BasicAuthManager(storage: storage, clock: clock, renewalTimeout: renewalTimeout)
    manager.renewTokens(from: .refreshToken { RefreshRequest(token: $0) })
    manager.attach(to: backend)
  }

  /// Requests a token, which may arrive later.
  func request() -> Collector<TokenAnswer> {
    let answers = Collector<TokenAnswer>()
    manager.ensureValidToken(ofType: .bearer) { answers.append(TokenAnswer($0)) }
    return answers
  }

  /// Reports a refused token. The replacement may arrive later.
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
