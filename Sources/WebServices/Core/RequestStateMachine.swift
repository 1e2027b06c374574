/// Decides the next action of a request: a pure function of its state and an event. Its `RequestRun` calls every method
/// with the lock held.
///
/// `handle` lists the valid events of each state. Any other event came too late, such as the response to a request that
/// has timed out, and is ignored. Together with `claim()`, this makes every completion run exactly once.
package struct RequestStateMachine: Sendable {
  /// The progress of a request, with the data of each state.
  ///
  /// | state | next states |
  /// |---|---|
  /// | `preparing` | `sending`; `admitting` or `authorizing` to wait |
  /// | `admitting` | `authorizing` |
  /// | `authorizing` | `signing`; `sending` if no token is needed |
  /// | `signing` | `sending` |
  /// | `sending` | `judging`; `reading` after a success |
  /// | `judging` | `reading`, `reauthorizing`; `signing` after a redirect; `admitting` to wait |
  /// | `reauthorizing` | `signing`, `sending`; `judging` if the 401 stays; `reading` if the body can't be sent again |
  /// | `reading`, `failing` | `finished` |
  /// | `finished` | none |
  ///
  /// A failure or an interruption leads to `failing` from every state from `preparing` to `reauthorizing`.
  enum State: Sendable {
    /// The caller's value is being made into a transport request, which gets its credentials unless it has to wait. The
    /// request ends with an interruption after that work.
    case preparing(Interruption?)
    /// The request waits for the next check of the network, or for its next attempt, which begins with a check.
    case admitting(TransportRequest)
    /// The request waits for a token.
    case authorizing(TransportRequest)
    /// The credentials are being attached, possibly to the step that a redirect leads to.
    case signing(isFollowing: Bool)
    /// The request waits for the end of this transfer and of no other.
    case sending(RequestTransfer)
    /// The transfer has ended, and its end is being judged.
    case judging(RequestTransfer)
    /// The server refused the credentials with this response. The token is being replaced, or the signer reads the
    /// challenge.
    case reauthorizing(RequestTransfer, WebServiceResponse)
    /// The response is being read for the completion.
    case reading
    /// A failure is being passed to the completion.
    case failing
    case finished
  }

  private(set) var state = State.preparing(nil)
  /// How many attempts have begun. A redirect belongs to the attempt before it.
  private(set) var attempt = 0
  /// How many attempts were handed to a session, or to an equal request's transfer.
  private(set) var sentAttempts = 0
  /// The last transfer that a time limit ended before a good response began. Layers ask for it.
  private(set) var timedOutTransfer: Int?
  /// Whether a sink has the head of the last transfer's response, which is good. The transport then limits the time
  /// between two bytes.
  private(set) var hasBegun = false
  /// Whether the attempt's time ran out while the last transfer was judged. A redirect has no time left then.
  private var hasTimedOut = false
  /// The transfer that was the first of this attempt to be sent.
  private var firstSentTransfer: Int?
  /// How many transfers have begun: the number of the last one. A token and a signature are asked for after a transfer,
  /// so their events carry its number too.
  private(set) var transfers = 0
  /// Whether a 401 has led to another token already. It does so at most once per request.
  private var hasReplacedToken = false
  /// Whether the request's signer has read a challenge since the last redirect or retry. Another nonce may be needed
  /// then.
  private(set) var hasReadChallenge = false
  /// Whether there was no network when the attempt was admitted.
  private(set) var isOffline = false
  /// When the request began to wait for the network; `nil` if it doesn't wait for one.
  var offlineSince: Double?
  /// The number of the timer that the request may have now. Each wait and each attempt has another one, so that the
  /// timer of an earlier wait or attempt is neither kept nor heard.
  private(set) var timer = 0
  /// The connection for the next transfer.
  private var connection = RequestTransfer.Connection.any
  /// The cause that ended the request from outside.
  private(set) var interruption: Interruption?
  /// The described request, before any redirect. It may carry credentials.
  var described: TransportRequest? { redirects.first ?? request }
  /// The request that is sent, or was sent last.
  private(set) var request: TransportRequest?
  /// Whether a redirect has led to another origin, where no credentials go.
  private(set) var hasLeftOrigin = false
  /// The former requests, which all ended with a redirect.
  private(set) var redirects: [TransportRequest] = []
  /// The credentials that were attached last.
  private(set) var credentials: AttachedCredentials?
  /// The failure of the attempt before this one.
  private(set) var lastFailure: WebServiceError?
  /// Whether an attempt whose failure isn't delivered may have reached the server.
  var mayHaveBeenApplied = false

  /// Moves to the next state, and returns the action to carry out after unlocking. Ignores an event that isn't valid in
  /// this state.
  mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.preparing(let former), .interrupted(let cause)):
      state = .preparing(former ?? cause)
      return .nothing
    case (.preparing(let cause?), _): return abandon(cause)
    case (.preparing, .prepared(let request, let credentials)):
      attempt = 1
      return send(request, credentials, isFollowing: false)
    case (.preparing, .described(let request, let isOffline)):
      self.request = request
      return admit(request, isOffline: isOffline)
    case (.admitting(let request), .checked(let isOffline)): return admit(request, isOffline: isOffline)
    // `transfers` and `timer` are patterns without `let`: the event has to carry this number. A late event of an
    // earlier transfer or wait carries another one.

    // The manager has another token for the next request. This one can't be sent again.
    case (.reauthorizing(let transfer, let response), .tokenReceived(transfers, .success))
    where !transfer.request.body.isReplayable:
      return move(to: .reading, .read(response))
    case (.reauthorizing(let transfer, _), .tokenReceived(transfers, .success(let token))):
      return move(to: .signing(isFollowing: false), .sign(transfer.request, token))
    case (.authorizing(let request), .tokenReceived(transfers, .success(let token))):
      return move(to: .signing(isFollowing: false), .sign(request, token))
    case (.authorizing, .tokenReceived(transfers, .failure(let error))):
      return fail(WebServiceError(.token, message: "there is no valid token", underlying: error))
    // Nobody has other credentials, so the 401 is judged as any other status. A signer gets no 401 that refused a
    // token.
    case (.reauthorizing(let transfer, let response), .tokenReceived(transfers, .failure(TokenError.expired))):
      hasReadChallenge = true
      return move(to: .judging(transfer), .judge(.success(response), transfer, isNew: false))
    case (.reauthorizing(_, let response), .tokenReceived(transfers, .failure(let error))):
      let message = "the token was refused, and could not be renewed"
      return fail(WebServiceError(.token, message: message, response: response, underlying: error))
    case (.authorizing, .authorized(let request, let credentials)),
      (.signing(isFollowing: false), .authorized(let request, let credentials)),
      (.reauthorizing, .authorized(let request, let credentials)):
      // An attempt begins here, so that a wait for the network or the first token counts as none.
      attempt += 1
      firstSentTransfer = nil
      return send(request, credentials, isFollowing: false)
    // Nobody has to judge a success.
    case (.sending, .ended(transfers, .success(let response))) where response.isSuccessful:
      return move(to: .reading, .accept(response))
    case (.sending(let transfer), .ended(transfers, let result)):
      return move(to: .judging(transfer), .judge(result, transfer, isNew: true))
    case (.sending(let transfer), .stopped(transfers, let error)):
      return move(to: .judging(transfer), .stop(transfer, error))
    case (.sending(let transfer), .timedOut(timer)) where !hasBegun:
      timedOutTransfer = transfers
      return move(to: .judging(transfer), .stop(transfer, nil))
    // No transfer is in progress that the judge could retry.
    case (.authorizing, .timedOut(timer)), (.signing, .timedOut(timer)), (.reauthorizing, .timedOut(timer)):
      return abandon(.timedOut)
    case (.judging, .accepted(let response)): return move(to: .reading, .read(response))
    case (.judging, .timedOut(timer)):
      hasTimedOut = true
      return .nothing
    case (.judging(let transfer), .redirected(let next)):
      return hasTimedOut ? .stop(transfer, nil) : follow(next, after: transfer)
    case (.judging(let transfer), .unauthorized(let response, let token)):
      if token == nil { hasReadChallenge = true } else { hasReplacedToken = true }
      lastFailure = WebServiceError(.statusCode(response.statusCode), response: response)
      return move(to: .reauthorizing(transfer, response), .reauthorize(token, response, transfer))
    // The cache has no response, and nothing was sent: no attempt has begun.
    case (.judging(let transfer), .checked(isOffline: nil)):
      attempt -= 1
      return admit(transfer.request, isOffline: nil)
    case (.judging(let transfer), .failed(let retry)): return pause(transfer.request, retry)
    case (.signing(isFollowing: true), .authorized(let request, let credentials)):
      return send(request, credentials, isFollowing: true)
    case (.preparing, .refused(let failure)), (.admitting, .refused(let failure)),
      (.authorizing, .refused(let failure)), (.signing, .refused(let failure)), (.judging, .refused(let failure)),
      (.reauthorizing, .refused(let failure)):
      return fail(failure)
    case (.reading, .interrupted(let cause)):
      // The completion gets the interruption when it is about to run.
      interruption = interruption ?? cause
      return .nothing
    case (.failing, .interrupted), (.finished, .interrupted): return .nothing
    case (_, .interrupted(let cause)): return abandon(cause)
    default: return .nothing
    }
  }

  /// Says what a completion that is about to run gets: the outcome of the request, or an interruption that came since.
  enum Claim: Sendable, Equatable {
    case outcome
    case interruption(Interruption)
  }

  /// Finishes the request. Only the first call returns a claim, so that the completion runs once.
  mutating func claim() -> Claim? {
    switch state {
    case .reading:
      state = .finished
      return interruption.map(Claim.interruption) ?? .outcome
    case .failing:
      state = .finished
      return .outcome
    default: return nil
    }
  }

  // MARK: Transitions with more than one line

  private mutating func move(to next: State, _ action: Action) -> Action {
    switch next {
    // The time of the wait or the attempt goes on.
    case .signing, .judging: break
    case .sending(let transfer) where transfer.isFollowing: break
    default: timer += 1
    }
    state = next
    return action
  }

  private mutating func admit(_ request: TransportRequest, isOffline: Bool?) -> Action {
    guard let isOffline else { return move(to: .admitting(request), .waitForNetwork) }
    (self.isOffline, offlineSince) = (isOffline, nil)
    return move(to: .authorizing(request), .authorize(request, after: transfers))
  }

  private mutating func send(_ request: TransportRequest, _ added: AttachedCredentials?, isFollowing: Bool) -> Action {
    transfers += 1
    // A redirect leads to another step, which may ask for a new connection and for a signature once of its own.
    if isFollowing, let former = self.request {
      redirects.append(former)
      (connection, hasReadChallenge) = (.any, false)
    }
    self.request = request
    if let added { credentials = added }
    let transfer = RequestTransfer(
      number: transfers, request: request, connection: connection, isFollowing: isFollowing)
    if connection == .new { connection = .newWasUsed }
    (hasBegun, hasTimedOut) = (false, false)
    return move(to: .sending(transfer), .send(transfer))
  }

  private mutating func follow(_ next: TransportRequest, after transfer: RequestTransfer) -> Action {
    // Credentials are meant for one origin: scheme, host and port.
    if transfer.request.target?.origin.text != next.target?.origin.text { hasLeftOrigin = true }
    return move(to: .signing(isFollowing: true), .follow(next))
  }

  private mutating func pause(_ request: TransportRequest, _ retry: Retry) -> Action {
    lastFailure = retry.failure
    // Any other method is repeated only if the server hasn't applied the request.
    if request.isIdempotent, retry.failure.mayHaveReachedServer != false { mayHaveBeenApplied = true }
    hasReadChallenge = false
    if retry.delay == nil { connection = .new }
    var request = retry.request ?? request
    if retry.startsOver, var first = redirects.first {
      // The failure may show secrets of the URL that the redirects led to.
      first.formerRequests = SecretSource.all(of: request)
      (request, self.request, redirects, hasLeftOrigin) = (first, first, [], false)
    }
    return move(to: .admitting(request), .pause(retry, request))
  }

  private mutating func fail(_ failure: WebServiceError) -> Action {
    var failure = failure
    failure.details.phase = phase
    return move(to: .failing, .fail(failure))
  }

  private mutating func abandon(_ cause: Interruption) -> Action {
    interruption = cause
    if cause == .deadlinePassed, isSending(transfers), !hasBegun { timedOutTransfer = transfers }
    return move(to: .failing, .abandon(WebServiceError(interruption: cause, phase: phase)))
  }

  // MARK: Facts about the transfer in progress

  /// Whether the request waits for the app's code after a transfer: for a rule's decision, a signature or a token. No
  /// other event but an interruption or a timeout takes the request on.
  var waitsForApp: Bool {
    switch state {
    case .judging, .signing, .reauthorizing: true
    default: false
    }
  }

  /// Whether the request waits for the end of this transfer.
  func isSending(_ transfer: Int) -> Bool { if case .sending = state { transfer == transfers } else { false } }

  /// Counts the attempt of a transfer that is handed to a session, or to an equal request's transfer.
  ///
  /// - Returns: the number of the timer to start for the attempt. `nil` unless the transfer is the first of its attempt
  ///   to be sent: a redirect is sent in the time that is left.
  mutating func countSent(_ transfer: Int) -> Int? {
    guard isSending(transfer), firstSentTransfer == nil else { return nil }
    firstSentTransfer = transfer
    sentAttempts += 1
    return timer
  }

  /// Takes the attempt back, because nothing of the last transfer was sent. Does nothing if a redirect before it was
  /// sent in the same attempt.
  mutating func takeBackAttempt() {
    guard firstSentTransfer == transfers else { return }
    firstSentTransfer = nil
    sentAttempts -= 1
  }

  /// Notes that the head of a transfer's response has come.
  ///
  /// - Parameter isGood: whether a sink gets the body.
  /// - Returns: whether the request still waits for the transfer.
  mutating func begin(_ number: Int, isGood: Bool) -> Bool {
    guard isSending(number) else { return false }
    hasBegun = isGood
    return true
  }

  /// The token that a 401 to the request refuses; `nil` if no other token can be tried. A server that responds with 401
  /// has not applied the request (RFC 9110, section 15.5.2), so a POST may be repeated too.
  func replaceableToken(of request: TransportRequest) -> AccessToken? {
    // Once a request: a server that refuses each token would cause endless renewals. After a redirect to another origin
    // the request carries no credentials, and the 401 isn't about the token.
    guard !hasReplacedToken, let credentials, credentials.areIn(request) else { return nil }
    return credentials.token
  }

  /// The phase that an error names if it happens in this state. After a response, `withFacts` names `judge` in place
  /// of `send`.
  var phase: WebServiceError.Phase {
    switch state {
    case .preparing: .describe
    case .admitting: .admit
    case .authorizing, .signing(isFollowing: false), .reauthorizing: .authorize
    case .sending, .judging, .signing: .send
    case .reading: .read
    case .failing, .finished: .deliver
    }
  }
}
