import Foundation
import WebServices

/// Splits the duration of one request into named phases, computed from the request's events. `TimelineDrawing` draws
/// the result.
struct Timeline: Equatable, Sendable {
  let requestID: UInt64
  private(set) var attempts: [TimelineAttempt] = []
  /// The phases after the last response: decoding and delivery.
  private(set) var ending: [TimelinePhase] = []
  /// The outcome, such as `success`, or the kind of the failure.
  private(set) var outcome = ""
  private(set) var total: TimeInterval = 0

  /// The attempt that is in progress. It opens with its first event, and closes with a retry, a redirect or the end.
  private struct OpenAttempt {
    var number: Int
    var target: String
    var phases: [TimelinePhase] = []
    /// When the request was sent; `nil` before.
    var sent: TimeInterval?
    var outcome = ""
  }

  private var open: OpenAttempt?
  /// The end of the last phase, in seconds since the call.
  private var cursor: TimeInterval = 0
  /// The reasons for waiting since the last phase. The last one names the phase.
  private var waits: [RequestEvent.WaitReason] = []

  /// - Parameter events: all events of one request in order; at least one.
  init(_ events: [RequestEvent]) {
    requestID = events.first?.requestID ?? 0
    for event in events { add(event) }
    closeAttempt()
    total = events.last.map { max(0, $0.elapsed) } ?? 0
  }

  private mutating func add(_ event: RequestEvent) {
    switch event.kind {
    case .described:
      // A resumed download waits before it describes its next request.
      addPhase(waits.isEmpty ? "describing" : waitName, until: event.elapsed, in: event)
      waits = []
    case .waiting(let reason): waits.append(reason)
    case .authorized: addPhase(waitName, until: event.elapsed, in: event)
    case .sent: recordSent(event)
    case .received(let status, let bytes, let metrics): recordResponse(status, bytes, metrics, event)
    case .retried(let delay, let cause): addRetry(after: delay, cause, event)
    case .redirected(let url):
      appendOutcome(", redirects to \(url)")
      closeAttempt()
    case .decoded: ending.append(TimelinePhase(name: "decoding", start: cursor, end: advance(to: event.elapsed)))
    case .delivered(let outcome): recordDelivery(outcome, event)
    case .cached, .coalesced: recordOutcome("\(event.kind)", event)
    }
  }

  // MARK: Events

  private mutating func recordSent(_ event: RequestEvent) {
    if open?.sent != nil { closeAttempt() }
    addPhase(waitName, until: event.elapsed, in: event)
    waits = []
    open?.sent = event.elapsed
    open?.number = event.attempt
    open?.target = "\(event.method) \(event.url)"
  }

  private mutating func recordResponse(
    _ status: Int, _ bytes: Int64, _ metrics: TransportMetrics?, _ event: RequestEvent
  ) {
    openAttempt(event)
    guard let metrics else {
      addPhase("response", until: event.elapsed, in: event)
      open?.outcome = "\(status), \(Wording.bytes(bytes))"
      return
    }
    let sent = open?.sent ?? event.elapsed - metrics.total
    let marks = [
      ("name look-up", metrics.nameLookup), ("connect", metrics.connect), ("TLS", metrics.tls),
      ("first byte", metrics.firstByte), ("body", metrics.total),
    ]
    for (name, mark) in marks {
      guard let mark, mark.isFinite else { continue }
      // The transport measures with its own clock. Clamping keeps its phases within the time of this event.
      addPhase(name, until: min(sent + max(0, mark), event.elapsed), in: event)
    }
    let connection = metrics.isReusedConnection ? ", connection reused" : ""
    let version = metrics.httpVersion.map { " over \($0)" } ?? ""
    open?.outcome = "\(status)\(version), \(Wording.bytes(max(bytes, metrics.bytesReceived)))\(connection)"
    cursor = max(cursor, event.elapsed)
  }

  private mutating func addRetry(after delay: TimeInterval, _ cause: RequestEvent.RetryCause, _ event: RequestEvent) {
    if open?.outcome.isEmpty ?? true {
      let name = cause.isBrokenResponse ? "broken off" : "no response"
      addPhase(name, until: event.elapsed, in: event)
      open?.outcome = "\(name): \(cause)"
    }
    appendOutcome(delay > 0 ? ", again after \(Wording.milliseconds(delay))" : ", again")
    closeAttempt()
  }

  private mutating func recordDelivery(_ result: RequestEvent.Outcome, _ event: RequestEvent) {
    switch result {
    case .success: outcome = "success"
    case .cancelled: outcome = "cancelled"
    case .failure(let error): outcome = "failure, \(error.kind)"
    }
    if let error = result.error, let response = error.response, open?.sent != nil, open?.outcome.isEmpty == true {
      recordBreak(response, error, event)
    } else if let open, open.outcome.isEmpty {
      addPhase(open.sent == nil ? waitName : "no response", until: event.elapsed, in: event)
      self.open?.outcome = open.sent == nil ? "not sent" : "no response"
    } else if attempts.isEmpty, open == nil {
      openAttempt(event)
      addPhase(waitName, until: event.elapsed, in: event)
      open?.outcome = "not sent"
    } else {
      ending.append(TimelinePhase(name: "delivery", start: cursor, end: advance(to: event.elapsed)))
    }
  }

  /// Records a response that began and broke off.
  private mutating func recordBreak(_ response: WebServiceResponse, _ error: WebServiceError, _ event: RequestEvent) {
    addPhase("broken off", until: event.elapsed, in: event)
    let bytes = max(Int64(response.body.count), response.metrics?.bytesReceived ?? 0)
    let cause = error.underlying(as: TransportError.self).map { "\($0.kind)" } ?? "\(error.kind)"
    let version = response.metrics?.httpVersion.map { " over \($0)" } ?? ""
    open?.outcome = "\(response.statusCode)\(version), \(Wording.bytes(bytes)), then \(cause)"
  }

  /// Records a response that needed no transfer of its own.
  private mutating func recordOutcome(_ words: String, _ event: RequestEvent) {
    openAttempt(event)
    open?.outcome = words
  }

  // MARK: Bookkeeping

  /// The name of the phase in which the request waited.
  private var waitName: String {
    guard let reason = waits.last else { return "waiting" }
    switch reason {
    case .connectivity: return "network wait"
    case .limit: return "limit wait"
    case .breaker: return "breaker"
    case .token: return "token wait"
    case .retryDelay: return "retry wait"
    }
  }

  /// Opens an attempt, unless one is open.
  private mutating func openAttempt(_ event: RequestEvent) {
    guard open == nil else { return }
    open = OpenAttempt(number: max(1, event.attempt), target: "\(event.method) \(event.url)")
  }

  /// Adds a phase that ends now. Consecutive phases with the same name are merged.
  private mutating func addPhase(_ name: String, until end: TimeInterval, in event: RequestEvent) {
    openAttempt(event)
    let phase = TimelinePhase(name: name, start: cursor, end: advance(to: end))
    if let last = open?.phases.indices.last, open?.phases[last].name == name {
      open?.phases[last].end = phase.end
    } else {
      open?.phases.append(phase)
    }
  }

  /// Moves the end of the last phase, and never back.
  private mutating func advance(to time: TimeInterval) -> TimeInterval {
    if time.isFinite { cursor = max(cursor, time) }
    return cursor
  }

  private mutating func appendOutcome(_ words: String) {
    open?.outcome += words
  }

  private mutating func closeAttempt() {
    guard let open else { return }
    attempts.append(
      TimelineAttempt(number: open.number, target: open.target, phases: open.phases, outcome: open.outcome))
    self.open = nil
  }

  // Only the result counts: `open`, `cursor` and `waits` are left over from the computation.
  static func == (left: Timeline, right: Timeline) -> Bool {
    left.requestID == right.requestID && left.attempts == right.attempts && left.ending == right.ending
      && left.outcome == right.outcome && left.total == right.total
  }
}

extension RequestEvent.RetryCause {
  /// Whether the response had begun when the transfer failed.
  fileprivate var isBrokenResponse: Bool {
    switch self {
    case .transport(.truncated), .transport(.badEncoding), .transport(.tooLarge): true
    case .transport, .status, .unauthorized, .challenge: false
    }
  }
}

extension RequestEvent.Outcome {
  fileprivate var error: WebServiceError? {
    if case .failure(let error) = self { error } else { nil }
  }
}
