/// What comes next for a request: a pure function of where it stands and of what has happened.
///
/// The order of the stations is here and nowhere else. An event that no longer fits (the answer to a request that has
/// timed out, a second cancel) leads to nothing, which is what makes every completion run exactly once.
struct RequestStateMachine: Sendable, Equatable {
  /// Where a request stands.
  enum State: Sendable, Equatable {
    case created
    case describing
    case admitting
    case authorizing
    case sending
    /// A token that the server refused is being replaced.
    case reauthorizing
    /// The request waits before it is sent once more.
    case pausing
    /// The body is being decoded, or about to be, on the way to the completion.
    case reading
    /// As `reading`, but whatever is read, the completion gets the interruption.
    case interrupted(Interruption)
    /// A failure is on its way to the completion.
    case failing
    case finished
  }

  /// What ends a request from outside.
  enum Interruption: Sendable, Equatable {
    case cancelled
    case invalidated
    case timedOut
  }

  enum Event: Sendable, Equatable {
    case started
    case described
    case admitted
    case authorized
    /// An answer to the exchange of this number was judged as good.
    case accepted(exchange: Int)
    /// An answer to the exchange of this number points elsewhere.
    case redirected(exchange: Int)
    /// The server refused the token that the exchange of this number carried.
    case unauthorized(exchange: Int)
    /// The exchange of this number failed in a way that another attempt may mend.
    case failed(exchange: Int)
    /// The pause before the next attempt is over.
    case resumed
    /// A station refused; an answer says which exchange it was for.
    case refused(exchange: Int?)
    case interrupted(Interruption)
    /// The completion is about to run.
    case delivering
  }

  enum Action: Sendable, Equatable {
    case nothing
    case describe
    case admit
    case authorize
    /// Start the exchange of this number.
    case send(exchange: Int)
    /// Replace the token that was refused, then send again.
    case reauthorize
    /// Wait, then send again.
    case pause
    case read
    /// Hand the station's refusal on.
    case fail
    /// Drop what is under way and hand the interruption on.
    case abandon(Interruption)
    /// Run the completion with what was read.
    case complete
    /// Run the completion with the interruption instead.
    case completeInterrupted(Interruption)
  }

  private(set) var state = State.created
  /// How often the request has been sent, redirects not counted.
  private(set) var attempt = 0
  /// Whether a token was refused and replaced: a second refusal is the answer.
  private(set) var hasReauthorized = false
  /// What has ended the request from outside, if anything has.
  private(set) var interruption: Interruption?
  /// How often anything has been sent: an answer counts only for the last one.
  private(set) var exchange = 0

  mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.created, .started): return move(to: .describing, .describe)
    case (.describing, .described): return move(to: .admitting, .admit)
    case (.admitting, .admitted): return move(to: .authorizing, .authorize)
    case (.authorizing, .authorized), (.reauthorizing, .authorized):
      attempt += 1
      return send()
    case (.sending, .unauthorized(exchange)) where !hasReauthorized:
      hasReauthorized = true
      return move(to: .reauthorizing, .reauthorize)
    case (.sending, .failed(exchange)): return move(to: .pausing, .pause)
    case (.pausing, .resumed): return move(to: .admitting, .admit)
    case (.sending, .redirected(exchange)): return send()
    case (.sending, .accepted(exchange)), (.reauthorizing, .accepted(exchange)): return move(to: .reading, .read)
    case (.sending, .refused(exchange)): return move(to: .failing, .fail)
    case (.describing, .refused(nil)), (.admitting, .refused(nil)), (.authorizing, .refused(nil)),
      (.reauthorizing, .refused(nil)), (.pausing, .refused(nil)):
      return move(to: .failing, .fail)
    case (.created, .interrupted(let cause)), (.describing, .interrupted(let cause)),
      (.admitting, .interrupted(let cause)), (.authorizing, .interrupted(let cause)),
      (.sending, .interrupted(let cause)), (.reauthorizing, .interrupted(let cause)),
      (.pausing, .interrupted(let cause)):
      interruption = cause
      return move(to: .failing, .abandon(cause))
    case (.reading, .interrupted(let cause)):
      interruption = cause
      return move(to: .interrupted(cause), .nothing)
    case (.reading, .delivering), (.failing, .delivering): return move(to: .finished, .complete)
    case (.interrupted(let cause), .delivering): return move(to: .finished, .completeInterrupted(cause))
    default: return .nothing
    }
  }

  private mutating func send() -> Action {
    exchange += 1
    return move(to: .sending, .send(exchange: exchange))
  }

  private mutating func move(to next: State, _ action: Action) -> Action {
    state = next
    return action
  }

  /// Whether the request waits for somebody else, and so needs a timer.
  var isWaiting: Bool { state == .authorizing || state == .sending || state == .reauthorizing }

  var isAuthorizing: Bool { state == .authorizing || state == .reauthorizing }

  /// The phase that an error names when it happens now.
  var phase: WebServiceError.Phase {
    switch state {
    case .created, .describing: .describe
    case .admitting, .pausing: .admit
    case .authorizing, .reauthorizing: .authorize
    case .sending: .send
    case .reading: .read
    case .interrupted, .failing, .finished: .deliver
    }
  }
}
