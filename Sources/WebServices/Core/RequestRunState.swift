/// The machine and the resources of a request, behind the lock of its `RequestRun`.
struct RequestRunState: Sendable {
  /// The objects that a request holds until its outcome is delivered.
  struct Resources: Sendable {
    var delivery: RequestRun.Delivery?
    var transportTask: (any URLSessionTaskProtocol)?
    /// Ends the wait for a token or a response, or a pause.
    var timer: (any WebServiceTimer)?
    var deadlineTimer: (any WebServiceTimer)?
    /// A cache's response in place of the timeout of one transfer.
    var standIn: (transfer: Int, stored: @Sendable () -> WebServiceResponse?)?
  }

  /// The step that the run takes after an event, once it has unlocked. A struct, because Swift copies a tuple of these
  /// slowly.
  struct Decision: Sendable {
    let action: RequestStateMachine.Action
    /// The number of the timer that the station may start.
    let timer: Int
    /// The resources, if the request has its outcome.
    var released = Resources()
  }

  var machine = RequestStateMachine()
  /// The slot at the engine; `nil` if the service takes no more requests.
  var slot: Engine.Slot?
  var resources = Resources()
  /// How many attempts continued after bytes of the sink. The retry policy doesn't count these attempts.
  var continuations = 0
  var events = EventOrder()
  /// The status of the response that is delivered; `nil` if there is none.
  var status: Int?
  /// The URL before redirects, as monitors are shown it. One value, because most events have this URL.
  var describedURL: RequestEvent.RedactedURL?
  /// The secrets that layers have sent or received for the request. Every description hides them.
  var layerSecrets: ArraySlice<String> = []

  /// Takes an event. The decision carries the number of its timer, because the request may go on before a station sets
  /// the timer.
  mutating func handle(_ event: RequestStateMachine.Event) -> Decision {
    let action = machine.handle(event)
    var decision = Decision(action: action, timer: machine.timer)
    if action.endsRequest { swap(&decision.released, &resources) }
    return decision
  }

  /// The credentials of the request, those of layers included.
  var secrets: [String] { (machine.credentials?.secrets ?? []) + layerSecrets }
}
