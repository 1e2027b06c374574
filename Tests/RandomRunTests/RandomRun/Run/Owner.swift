import Foundation
import WebServices

/// Somebody who signs in and out at run time. All that has to come in one order (sign-outs, completions, what an
/// awaited call is given) happens on its queue or on the actor, and what happens on the actor holds the queue too.
actor Owner {
  nonisolated let index: Int
  nonisolated let plan: OwnerPlan
  nonisolated let manager: BasicAuthManager
  nonisolated let queue: DispatchQueue
  private nonisolated let recorder: Recorder
  private nonisolated let state = Guarded(State())

  private struct State: Sendable {
    var identity: Int?
    var server: Server?
    var makeConfig: (@Sendable (HTTPHeaders.Field?) -> Server.Config)?
  }

  private static let key = DispatchSpecificKey<Int>()

  init(_ index: Int, plan: OwnerPlan, recorder: Recorder) {
    self.index = index
    self.plan = plan
    self.recorder = recorder
    queue = DispatchQueue(label: "RandomRun.owner.\(index)")
    queue.setSpecific(key: Self.key, value: index)
    manager = BasicAuthManager(clock: SystemClock.shared, renewalTimeout: 3)
    guard plan.kind == .tokens else { return }
    manager.renewTokensByRefreshToken { token in RenewalRequest(token: token) }
  }

  nonisolated var isOnQueue: Bool { DispatchQueue.getSpecific(key: Self.key) == index }
  nonisolated var server: Server? { state.withLock { $0.server } }

  /// Makes the `Server`, whose requests carry who is signed in.
  nonisolated func open(_ makeConfig: @escaping @Sendable (HTTPHeaders.Field?) -> Server.Config) {
    state.withLock { state in
      state.makeConfig = makeConfig
      state.server = Server(with: makeConfig(nil))
    }
  }

  nonisolated func signIn(_ identity: Int) {
    let secret = Secret(home: plan.home, identity: identity, number: 1)
    recorder.add(.signedIn(owner: index, identity: identity))
    let (server, makeConfig) = state.withLock { state in
      state.identity = identity
      return (state.server, state.makeConfig)
    }
    switch plan.kind {
    case .tokens:
      let refreshToken = Secret(home: plan.home, identity: identity, number: 2).text
      manager.update(
        apiToken: secret.text, secondsRemaining: plan.tokenLifetime,
        refreshToken: plan.renewal == .hasNoRefreshToken ? nil : refreshToken)
    case .server:
      guard let makeConfig else { return }
      server?.set(makeConfig(HTTPHeaders.Field(name: "api-token", value: secret.text)))
    }
  }

  nonisolated private func signOut(next: Int?) {
    let (identity, server, makeConfig) = state.withLock { state in
      defer { state.identity = nil }
      return (state.identity, state.server, state.makeConfig)
    }
    switch plan.kind {
    case .tokens: manager.clear()
    case .server: if let makeConfig { server?.set(makeConfig(nil)) }
    }
    if let identity { recorder.add(.signedOut(owner: index, identity: identity)) }
    if let next { signIn(next) }
  }

  /// Ends the identity, on the queue or on the actor.
  nonisolated func signOut(next: Int?, isOnQueue: Bool) async {
    guard isOnQueue else { return await perform { $0.signOut(next: next) } }
    await withCheckedContinuation { continuation in
      queue.async {
        self.signOut(next: next)
        continuation.resume()
      }
    }
  }

  /// Runs on the actor, with the queue held.
  func perform(_ work: @Sendable (Owner) -> Void) {
    queue.sync { work(self) }
  }

  nonisolated func close() {
    state.withLock { state in
      state.server = nil
      state.makeConfig = nil
    }
    manager.renewTokensByRefreshToken(with: nil)
  }
}

/// A renewal by refresh token, where there is one.
struct RenewalRequest: WebServiceRequestData {
  var token: RenewableToken

  var path: String { "renew" }
  var method: HTTPMethod { .post }
  var headers: HTTPHeaders { ["api-token": token.apiToken] }
  var body: RequestBody? { token.refreshToken.map { .form([URLQueryItem(name: "refresh_token", value: $0)]) } }
}
