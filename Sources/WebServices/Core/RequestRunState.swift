import Foundation

/// What a request has come to, kept behind the lock of its `RequestRun`.
struct RequestRunState: Sendable {
  var machine = RequestStateMachine()
  /// The request as it was described, without credentials: where each attempt begins.
  var described: TransportRequest?
  /// What is sent, or was last.
  var request: TransportRequest?
  /// The same as monitors are shown it, where they have been since it was last another one.
  var shown: ShownRequest?
  /// What the authorize station attached: hidden in every description, and shown to no other origin.
  var credentials: [String] = []
  var credentialNames: [String] = []
  var token: AccessToken?
  /// What was asked in this attempt before redirects led elsewhere.
  var steps: [Redirect.Step] = []
  /// Whose redirect was followed: a session that answers twice has it followed once.
  var followedExchange: Int?
  /// Whether the request was sent again because a kept connection was closed.
  var hasTakenAnotherConnection = false
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
  /// Whether it is about to be interrupted, with others: it takes the place of none of them.
  var isDoomed = false
  var events = EventOrder()
  @Rare var earlyOutcome: Result<WebServiceResponse, WebServiceError>?

  init(delivery: RequestRun.Delivery? = nil) {
    self.delivery = delivery
  }
}

extension RequestRunState {
  /// Whether a redirect has led elsewhere.
  var isAway: Bool { !steps.isEmpty }

  /// What an exchange sets out with.
  struct Departure {
    let request: TransportRequest
    /// The request as it was described, where redirects have led elsewhere.
    let described: TransportRequest?
    let credentialNames: [String]
    let isOffline: Bool
  }

  /// Begins the next exchange with the request as it is now.
  mutating func depart() -> Departure? {
    guard let request else { return nil }
    isTransportTimed = false
    return Departure(
      request: request, described: isAway ? described : nil, credentialNames: credentialNames,
      isOffline: isOffline)
  }

  /// Whether the exchange is waited for: it is the last, and hasn't ended.
  func isUnderWay(_ exchange: Int) -> Bool { machine.state == .sending && machine.exchange == exchange }

  /// Whether a 401 to this request may mean the manager's token, and another one can be tried. A server that answers so
  /// has not applied the request (RFC 9110, section 15.5.2), whatever its method.
  func canReauthorize(_ request: TransportRequest) -> Bool {
    !machine.hasReauthorized && token != nil && request.body.isReplayable && carriesCredentials(request)
  }

  /// Whether the request still has what the authorize station attached: another origin is shown nothing of it.
  func carriesCredentials(_ request: TransportRequest) -> Bool {
    credentialNames.contains { name in request.headers[name].map { credentials.contains($0) } ?? false }
  }

  /// Takes the request that a redirect leads to.
  ///
  /// - Returns: whether the run hasn't gone on since.
  mutating func follow(_ next: TransportRequest, after exchange: Int) -> Bool {
    guard isUnderWay(exchange), followedExchange != exchange else { return false }
    followedExchange = exchange
    if let request { steps.append(Redirect.Step(request)) }
    request = next
    shown = nil
    transportTask = nil
    return true
  }
}
