import Foundation
import WebServices

/// A user who signs in and out during the run. Sign-outs, completions and deliveries to awaited calls need one order.
/// They run on the owner's queue or on the actor, and work on the actor blocks the queue.
actor Owner {
  nonisolated let index: Int
  nonisolated let plan: OwnerPlan
  nonisolated let manager = BasicAuthManager(clock: SystemClock.shared, renewalTimeout: 3)
  nonisolated let queue: DispatchQueue
  private nonisolated let recorder: Recorder
  private nonisolated let state = Guarded(State())
  fileprivate struct State: Sendable {
    var identity: Int?
    var server: Server?
    /// The source that the `Server` follows.
    var source = IdentitySource<Int?>(nil)
    /// Makes the configuration of an identity.
    var configure: (@Sendable (Int?) -> Server.Config)?
    var tripwires: [Tripwire] = []
    /// Signs the next user in. Runs once, on the queue.
    var successor: (@Sendable () -> Void)?
  }

  private static let key = DispatchSpecificKey<Int>()

  /// - Parameter home: the origin that renews the owner's tokens.
  init(_ index: Int, plan: OwnerPlan, home: URL, recorder: Recorder) {
    self.index = index
    self.plan = plan
    self.recorder = recorder
    queue = DispatchQueue(label: "RandomRun.owner.\(index)")
    queue.setSpecific(key: Self.key, value: index)
    guard plan.kind == .tokens else { return }
    // An absolute URL: services of another origin have this manager too.
    let path = home.appendingPathComponent("renew").absoluteString
    manager.renewTokens(from: .refreshToken { token in RenewalRequest(path: path, token: token) })
  }

  nonisolated var isOnQueue: Bool { DispatchQueue.getSpecific(key: Self.key) == index }
  nonisolated var identity: Int? { state.withLock { $0.identity } }
  nonisolated var server: Server? { state.withLock { $0.server } }

  /// Makes the `Server`, whose requests carry the signed-in identity.
  nonisolated func open(_ makeConfig: @escaping @Sendable (HTTPHeaders.Field?) -> Server.Config) {
    let configure: @Sendable (Int?) -> Server.Config = { [home = plan.home] identity in
      makeConfig(
        identity.map { HTTPHeaders.Field(name: "api-token", value: Secret(home: home, identity: $0, number: 1).text) })
    }
    state.withLock { state in
      state.server = Server(following: state.source, configure: configure)
      state.configure = configure
    }
  }

  nonisolated func signIn(_ identity: Int) {
    recorder.add(.signedIn(owner: index, identity: identity))
    state.withLock { $0.identity = identity }
    guard plan.kind == .tokens else { return state.withLock { $0.source }.set(identity) }
    let refreshToken = Secret(home: plan.home, identity: identity, number: 2).text
    manager.update(
      apiToken: Secret(home: plan.home, identity: identity, number: 1).text, secondsRemaining: plan.tokenLifetime,
      refreshToken: plan.renewal == .hasNoRefreshToken ? nil : refreshToken)
  }

  nonisolated private func signOutInPlace(next: Int?) {
    recorder.add(.changing(owner: index))
    let identity = state.withLock { state in
      defer { state.identity = nil }
      return state.identity
    }
    switch plan.kind {
    case .tokens: manager.clear()
    case .server: state.withLock { $0.source }.set(nil)
    }
    if let identity { recorder.add(.signedOut(owner: index, identity: identity)) }
    if let next { signIn(next) }
    recorder.add(.changed(owner: index))
  }

  /// Signs the user out while completions run. The first completion that the sign-out causes signs the next user in.
  ///
  /// - Parameter start: called after the sign-in, on the queue.
  /// - Returns: whether `start` was called.
  func changeUser(next: Int, then start: @escaping @Sendable () -> Void) async -> Bool {
    recorder.add(.changing(owner: index))
    let identity = state.withLock { state in
      state.successor = { [self] in
        signIn(next)
        recorder.add(.changed(owner: index))
        start()
      }
      defer { state.identity = nil }
      return state.identity
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [manager, queue] in
        manager.clear()
        queue.async { continuation.resume() }
      }
    }
    if let identity { recorder.add(.signedOut(owner: index, identity: identity)) }
    return queue.sync {
      callFailed()
      // A tripwire has signed another user in.
      guard state.withLock({ $0.successor.take() != nil }) else { return true }
      recorder.add(.changed(owner: index))
      return false
    }
  }

  /// Receives the end of a failed call. If a sign-out has caused the failure, the next user signs in.
  nonisolated func callFailed() {
    guard isOnQueue, manager.apiToken == nil else { return }
    state.withLock { $0.successor.take() }?()
  }

  /// Signs the user out, and signs in the next user if there is one.
  func signOut(next: Int?) {
    perform { $0.signOutInPlace(next: next) }
  }

  /// Runs work on the actor while the queue is blocked.
  func perform(_ work: @Sendable (Owner) -> Void) {
    queue.sync { work(self) }
  }

  /// Makes the `Server` follow another source, while a former source still sets an identity.
  func replaceSource(stray: Int, next: Int) {
    perform { owner in
      let (server, configure) = owner.state.withLock { ($0.server, $0.configure) }
      guard let server, let configure else { return }
      recorder.add(.changing(owner: index))
      let (isSetting, wasSet) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let former = IdentitySource<Int?>(nil)
      server.follow(former) { identity in
        if identity == stray {
          isSetting.signal()
          Thread.sleep(forTimeInterval: 0.01)
        }
        return configure(identity)
      }
      DispatchQueue.global().async {
        former.set(stray)
        wasSet.signal()
      }
      _ = isSetting.wait(timeout: .now() + 1)
      let source = IdentitySource<Int?>(next)
      server.follow(source, configure: configure)
      let identity = owner.state.withLock { state in
        defer { (state.identity, state.source) = (next, source) }
        return state.identity
      }
      for identity in [identity, stray].compactMap({ $0 }) {
        recorder.add(.signedOut(owner: index, identity: identity))
      }
      recorder.add(.signedIn(owner: index, identity: next))
      _ = wasSet.wait(timeout: .now() + 1)
      recorder.add(.changed(owner: index))
    }
  }

  // MARK: Sign-outs during an event

  nonisolated func arm(_ tripwire: Tripwire) { state.withLock { $0.tripwires.append(tripwire) } }

  /// Receives an event of a monitor. If a tripwire matches the event, the owner signs out before this returns.
  nonisolated func handle(_ event: RequestEvent) {
    guard let tripwire = state.withLock({ $0.takeTripwire(for: event) }) else { return }
    if isOnQueue {
      signOutInPlace(next: tripwire.next)
    } else {
      let done = DispatchSemaphore(value: 0)
      Task {
        await signOut(next: tripwire.next)
        done.signal()
      }
      // This thread may be running the actor, which then can't sign out.
      guard done.wait(timeout: .now() + 0.2) == .success else { return }
    }
    if tripwire.event == .cached { Thread.sleep(forTimeInterval: Self.arrivalTime) }
  }

  /// The seconds within which every request that was sent before the sign-out arrives.
  private static let arrivalTime = 0.5

  nonisolated func close() {
    state.withLock { ($0.server, $0.configure, $0.successor) = (nil, nil, nil) }
    manager.renewTokens(with: nil)
  }
}

/// A renewal with a refresh token, if there is one.
struct RenewalRequest: WebServiceRequestData {
  var path: String
  var token: AuthenticationInfo

  var method: HTTPMethod { .post }
  var headers: HTTPHeaders { ["api-token": token.apiToken] }
  var body: RequestBody? { token.refreshToken.map { .form([URLQueryItem(name: "refresh_token", value: $0)]) } }
}

extension Owner.State {
  fileprivate mutating func takeTripwire(for event: RequestEvent) -> Tripwire? {
    guard !tripwires.isEmpty else { return nil }
    let path = "\(event.url)".prefix { $0 != "?" }
    guard let index = tripwires.firstIndex(where: { $0.event.fits(event.kind) && path.hasSuffix($0.path) }) else {
      return nil
    }
    return tripwires.remove(at: index)
  }
}

extension Tripwire.Event {
  fileprivate func fits(_ kind: RequestEvent.Kind) -> Bool {
    switch (self, kind) {
    case (.failed, .delivered(.failure)), (.cached, .cached(.hit)): true
    default: false
    }
  }
}
