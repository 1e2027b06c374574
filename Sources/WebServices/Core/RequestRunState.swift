import Foundation

/// What a request has come to, kept behind the lock of its `RequestRun`.
struct RequestRunState: Sendable {
  var machine = RequestStateMachine()
  /// The request as it was described, without credentials.
  var described: TransportRequest?
  /// The step under way: each attempt sends its request.
  var step: RequestStep?
  /// What is sent, or was last.
  var request: TransportRequest?
  /// The same as monitors are shown it, where they have been since it was last another one.
  var shown: ShownRequest?
  /// What the authorize station attached: hidden in every description, and shown to no other origin.
  var credentials: [String] = []
  var credentialNames: [String] = []
  var token: AccessToken?
  /// The steps before the one under way, all of which ended with a redirect.
  var steps: [Redirect.Step] = []
  /// The exchange whose redirect was followed last: a session that answers twice has its redirect followed once.
  var followedExchange: Int?
  /// The exchange that the engine has ended itself: what its session still tells of it doesn't count.
  var endedExchange: Int?
  /// How many attempts were made to send the request, redirects not counted.
  private(set) var sentAttempts = 0
  private var lastSentAttempt = 0
  /// Whether the step's request was sent again because a kept connection was closed.
  var hasTakenAnotherConnection = false
  /// Whether the next exchange is that one.
  var needsNewConnection = false
  /// Whether bytes of the answer have reached its reader, so that nothing can be sent again.
  var isStreaming = false
  /// Whether bytes have begun to flow whose pace the transport watches, so that the engine's timer is off.
  var isTransportTimed = false
  var transportTask: (any URLSessionTaskProtocol)?
  var connectivityWait: ConnectivityWait?
  /// Whether the request sets out although there is no network.
  var isOffline = false
  /// How the attempt before ended.
  @Rare var lastFailure: ResponseJudge.Refusal?
  /// Until when the exchange under way, a wait for a token or a pause lasts at most.
  var timer: (any WebServiceTimer)?
  /// Until when all of it lasts at most.
  var deadlineTimer: (any WebServiceTimer)?
  /// Where the service's registry has it.
  var slot: RunRegistry.Slot?
  var delivery: RequestRun.Delivery?
  /// Whether `start()` hasn't returned yet, and what came of the request meanwhile.
  var isStarting = true
  var events = EventOrder()
  @Rare var earlyOutcome: Result<WebServiceResponse, WebServiceError>?

  init(delivery: RequestRun.Delivery? = nil) {
    self.delivery = delivery
  }
}

extension RequestRunState {
  /// Whether a redirect has led elsewhere.
  var isAway: Bool { !steps.isEmpty }

  /// Whether the exchange under way is the first of its step after a redirect: it has the time that is left of the
  /// attempt.
  var isFollowing: Bool { followedExchange.map { $0 + 1 == machine.exchange } ?? false }

  /// What an exchange sets out with.
  struct Departure {
    let request: TransportRequest
    /// The request as it was described, where redirects have led elsewhere.
    let described: TransportRequest?
    let credentialNames: [String]
    let isOffline: Bool
    /// Whether it has to go over a connection that was never used.
    let needsNewConnection: Bool
    /// Whether an attempt before has failed.
    let isRetry: Bool
  }

  /// Begins the next exchange with the request as it is now.
  mutating func depart() -> Departure? {
    guard let request else { return nil }
    isTransportTimed = false
    defer { needsNewConnection = false }
    return Departure(
      request: request, described: isAway ? described : nil, credentialNames: credentialNames,
      isOffline: isOffline, needsNewConnection: needsNewConnection, isRetry: machine.attempt > 1)
  }

  /// Whether the exchange is waited for: it is the last, and hasn't ended.
  func isUnderWay(_ exchange: Int) -> Bool { isLast(exchange) && endedExchange != exchange }

  /// Whether the exchange is the last, and its end hasn't been judged.
  func isLast(_ exchange: Int) -> Bool { machine.state == .sending && machine.exchange == exchange }

  /// Ends an exchange from this side.
  ///
  /// - Returns: whether it was under way.
  mutating func end(_ exchange: Int) -> Bool {
    guard isUnderWay(exchange) else { return false }
    endedExchange = exchange
    return true
  }

  /// The exchange under way is handed to the session, or to another request's exchange.
  mutating func countAttempt() {
    guard lastSentAttempt != machine.attempt else { return }
    lastSentAttempt = machine.attempt
    sentAttempts += 1
  }

  /// Nothing was sent in the exchange under way. A redirect that it follows was an answer to the same attempt.
  mutating func takeBackAttempt() {
    guard lastSentAttempt == machine.attempt, !isFollowing else { return }
    lastSentAttempt = 0
    sentAttempts -= 1
  }

  /// Whether a 401 to this request may mean the manager's token, and another one can be tried. A server that answers so
  /// has not applied the request (RFC 9110, section 15.5.2), whatever its method.
  func canReauthorize(_ request: TransportRequest) -> Bool {
    !machine.hasReauthorized && token != nil && request.body.isReplayable && carriesCredentials(request)
  }

  /// Whether the request still has what the authorize station attached: another origin is shown nothing of it.
  func carriesCredentials(_ request: TransportRequest) -> Bool {
    credentialNames.contains { name in request.headers[name].map { credentials.contains($0) } ?? false }
  }

  /// Begins the step that a redirect leads to.
  ///
  /// - Parameters:
  ///   - next: the step.
  ///   - signed: the step's request as it is sent.
  /// - Returns: whether the run hasn't gone on since.
  mutating func follow(_ next: RequestStep, sending signed: TransportRequest, after exchange: Int) -> Bool {
    guard isUnderWay(exchange), followedExchange != exchange else { return false }
    followedExchange = exchange
    if let request { steps.append(Redirect.Step(request)) }
    step = next
    request = signed
    shown = nil
    transportTask = nil
    hasTakenAnotherConnection = false
    return true
  }
}

/// One step of a request: the request as it was described is the first, and each redirect leads to the next. What fails
/// is a step, and a retry repeats the step alone: the steps before it had their responses.
struct RequestStep: Sendable {
  /// The request without the credentials that the authorize station attaches.
  let request: TransportRequest
  /// Whether the credentials are attached: no step gets them once a redirect has led to another origin.
  let isAuthorized: Bool

  /// The first step.
  init(described request: TransportRequest) {
    self.request = request
    isAuthorized = true
  }

  /// The step that a redirect leads to.
  ///
  /// - Parameters:
  ///   - next: what the redirect asks for, with the header fields of the request before that it may have.
  ///   - former: the step whose response is the redirect.
  ///   - credentialNames: the header fields of the credentials.
  init(_ next: TransportRequest, after former: RequestStep, credentialNames: [String]) {
    isAuthorized = former.isAuthorized && Redirect.haveSameOrigin(former.request.url, next.url)
    var plain = next
    if isAuthorized { credentialNames.forEach { plain.headers.remove($0) } }
    request = plain
  }
}
