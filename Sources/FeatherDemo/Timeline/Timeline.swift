import Foundation
import WebServices

/// Splits the duration of one request into named phases, computed from the request's events.
struct Timeline: Equatable, Sendable {
  let requestID: UInt64
  private(set) var attempts: [TimelineAttempt] = []
  /// The phases after the last response: decoding and delivery.
  private(set) var ending: [TimelinePhase] = []
  /// The outcome, such as `success`, or the kind of the failure.
  private(set) var outcome = ""
  private(set) var total: TimeInterval = 0

  /// The attempt that is in progress.
  private struct Open {
    var number: Int
    var target: String
    var phases: [TimelinePhase] = []
    var sent: TimeInterval?
    var outcome = ""
  }

  private var open: Open?
  /// The end of the last phase, in seconds since the call.
  private var cursor: TimeInterval = 0
  private var waits: [RequestEvent.WaitReason] = []

  /// - Parameter events: all events of one request in order; at least one.
  init(_ events: [RequestEvent]) {
    requestID = events.first?.requestID ?? 0
    for event in events { add(event) }
    close()
    total = events.last.map { max(0, $0.elapsed) } ?? 0
  }

  private mutating func add(_ event: RequestEvent) {
    switch event.kind {
    case .described:
      // A resumed download waits before it describes its next request.
      spend(waits.isEmpty ? "describing" : waitName, until: event.elapsed, in: event)
      waits = []
    case .waiting(let reason): waits.append(reason)
    case .authorized: spend(waitName, until: event.elapsed, in: event)
    case .sent: send(event)
    case .received(let status, let bytes, let metrics): receive(status, bytes, metrics, event)
    case .retried(let delay, let cause): retry(after: delay, cause, event)
    case .redirected(let url):
      append(", redirects to \(url)")
      close()
    case .decoded: ending.append(TimelinePhase(name: "decoding", start: cursor, end: advance(to: event.elapsed)))
    case .delivered(let outcome): deliver(outcome, event)
    case .cached, .coalesced: note("\(event.kind)", event)
    }
  }

  // MARK: Events

  private mutating func send(_ event: RequestEvent) {
    if open?.sent != nil { close() }
    spend(waitName, until: event.elapsed, in: event)
    waits = []
    open?.sent = event.elapsed
    open?.number = event.attempt
    open?.target = "\(event.method) \(event.url)"
  }

  private mutating func receive(
    _ status: Int, _ bytes: Int64, _ metrics: TransportMetrics?, _ event: RequestEvent
  ) {
    begin(event)
    guard let metrics else {
      spend("response", until: event.elapsed, in: event)
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
      spend(name, until: min(sent + max(0, mark), event.elapsed), in: event)
    }
    let connection = metrics.isReusedConnection ? ", connection reused" : ""
    let version = metrics.httpVersion.map { " over \($0)" } ?? ""
    open?.outcome = "\(status)\(version), \(Wording.bytes(max(bytes, metrics.bytesReceived)))\(connection)"
    cursor = max(cursor, event.elapsed)
  }

  private mutating func retry(after delay: TimeInterval, _ cause: RequestEvent.RetryCause, _ event: RequestEvent) {
    if open?.outcome.isEmpty ?? true {
      let name = cause.isBrokenResponse ? "broken off" : "no response"
      spend(name, until: event.elapsed, in: event)
      open?.outcome = "\(name): \(cause)"
    }
    append(delay > 0 ? ", again after \(Wording.milliseconds(delay))" : ", again")
    close()
  }

  private mutating func deliver(_ result: RequestEvent.Outcome, _ event: RequestEvent) {
    switch result {
    case .success: outcome = "success"
    case .cancelled: outcome = "cancelled"
    case .failure(let error): outcome = "failure, \(error.kind)"
    }
    if let error = result.error, let response = error.response, open?.sent != nil, open?.outcome.isEmpty == true {
      breakOff(response, error, event)
    } else if let open, open.outcome.isEmpty {
      spend(open.sent == nil ? waitName : "no response", until: event.elapsed, in: event)
      self.open?.outcome = open.sent == nil ? "not sent" : "no response"
    } else if attempts.isEmpty, open == nil {
      begin(event)
      spend(waitName, until: event.elapsed, in: event)
      open?.outcome = "not sent"
    } else {
      ending.append(TimelinePhase(name: "delivery", start: cursor, end: advance(to: event.elapsed)))
    }
  }

  /// Records a response that began and broke off.
  private mutating func breakOff(_ response: WebServiceResponse, _ error: WebServiceError, _ event: RequestEvent) {
    spend("broken off", until: event.elapsed, in: event)
    let bytes = max(Int64(response.body.count), response.metrics?.bytesReceived ?? 0)
    let cause = error.underlying(as: TransportError.self).map { "\($0.kind)" } ?? "\(error.kind)"
    let version = response.metrics?.httpVersion.map { " over \($0)" } ?? ""
    open?.outcome = "\(response.statusCode)\(version), \(Wording.bytes(bytes)), then \(cause)"
  }

  private mutating func note(_ words: String, _ event: RequestEvent) {
    begin(event)
    open?.outcome = words
  }

  // MARK: Bookkeeping

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

  private mutating func begin(_ event: RequestEvent) {
    guard open == nil else { return }
    open = Open(number: max(1, event.attempt), target: "\(event.method) \(event.url)")
  }

  /// Adds a phase that ends now. Consecutive phases with the same name are merged.
  private mutating func spend(_ name: String, until end: TimeInterval, in event: RequestEvent) {
    begin(event)
    let phase = TimelinePhase(name: name, start: cursor, end: advance(to: end))
    if let last = open?.phases.indices.last, open?.phases[last].name == name {
      open?.phases[last].end = phase.end
    } else {
      open?.phases.append(phase)
    }
  }

  private mutating func advance(to time: TimeInterval) -> TimeInterval {
    if time.isFinite { cursor = max(cursor, time) }
    return cursor
  }

  private mutating func append(_ words: String) {
    open?.outcome += words
  }

  private mutating func close() {
    guard let open else { return }
    attempts.append(
      TimelineAttempt(number: open.number, target: open.target, phases: open.phases, outcome: open.outcome))
    self.open = nil
  }

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
