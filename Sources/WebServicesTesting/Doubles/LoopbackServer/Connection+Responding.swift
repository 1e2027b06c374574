import Foundation
import WebServicesCore

// The sending half of a connection. The event loop calls `proceed()` whenever the connection may continue.
extension Connection {
  /// Runs response steps and sends bytes until the connection would block. Then tells the loop which socket events to
  /// wait for.
  func proceed() {
    guard !isClosed else { return }
    parse()
    // Without a limit, an endless body for a fast client would block all other connections.
    var turns = 64
    while turns > 0, advance() { turns -= 1 }
    guard !isClosed else { return }
    // The client has closed its sending direction, so the server closes too. Otherwise a stalled response would keep
    // the connection open for ever.
    if inputEnded, output.isEmpty, pause != nil || current == nil { return close() }
    var events: Int16 = 0
    // After the client's last byte a socket stays readable, so waiting for that event would make the loop spin.
    if !inputEnded { events |= !isFull ? System.readable : System.peerEnded }
    // A socket is nearly always writable. A throttled response waits for its timer instead, or the loop would spin.
    if turns == 0 || (!output.isEmpty && resumesAt == nil) { events |= System.writable }
    loop.setInterest(events, of: self)
  }

  /// Starts the response that a handler returned.
  func handlerResponded(_ response: LoopbackServer.Response) {
    pause = nil
    current?.begin(response)
    proceed()
  }

  /// Continues when the gate has opened.
  func resume() {
    pause = nil
    proceed()
  }

  /// Continues, or closes, when the timer of the pause fires.
  func pauseEnded() {
    if case .lingering = pause { return close() }
    pause = nil
    proceed()
  }

  /// Runs the next step of the response, or starts the next response. Returns `false` if the connection has to wait.
  private func advance() -> Bool {
    guard !isClosed, isPauseOver(), let served = current ?? startNextResponse() else {
      flush()
      return false
    }
    guard let step = served.currentStep else {
      // A handler that was just called hasn't responded yet.
      guard pause == nil, flush() else { return false }
      finish(served)
      return !isClosed
    }
    // Other steps than sending, such as `close`, run only after all earlier bytes are sent. Otherwise those bytes would
    // be lost.
    if !step.isSending || output.count >= 65_536 {
      guard flush() else { return false }
    }
    perform(step, of: served)
    return !isClosed
  }

  /// Whether the response may continue. Ends a pause that waits for bytes or for a request once these have arrived.
  private func isPauseOver() -> Bool {
    switch pause {
    case nil: return true
    case .time, .gate, .stalled, .handler, .lingering: return false
    case .nextBytes(let count):
      guard let current, bytes(after: current) >= count else { return false }
    case .nextRequest:
      guard let next = waiting.first, next.isComplete else { return false }
      waiting.removeFirst()
    }
    pause = nil
    return true
  }

  /// Starts the response to the next request if enough of the request has arrived.
  private func startNextResponse() -> ServedRequest? {
    guard let served = waiting.first else { return nil }
    let resolution = served.resolution ?? loop.core.router.withLock { $0.resolve(&served.request) }
    served.resolution = resolution
    if !served.isComplete {
      guard served.beginsBeforeBody else {
        sendContinue(served)
        return nil
      }
      // The client never got `100 Continue`, so the server can't know whether the body follows. The connection must
      // end.
      if served.expectsContinue { served.endsConnection = true }
    }
    waiting.removeFirst()
    current = served
    // `waiting` has room for one more request, so the connection can parse the bytes that it held back.
    parse()
    if !served.isRecorded { record(served) }
    switch resolution {
    case .response(let response): served.begin(response)
    case .handler(let handler): call(handler, for: served)
    }
    return served
  }

  private func sendContinue(_ served: ServedRequest) {
    guard served.expectsContinue else { return }
    served.expectsContinue = false
    append("HTTP/1.1 100 Continue\r\n\r\n")
  }

  func append(_ text: String) { output += text.utf8 }

  private func call(_ handler: @escaping Router.Handler, for served: ServedRequest) {
    pause = .handler
    let (mailbox, connection) = (loop.core.mailbox, number)
    let responder = LoopbackServer.Responder { mailbox.post(.response($0, connection: connection)) }
    let request = served.request
    // Each handler has a serial queue of its own, because it may block. Such a queue gets a thread even when waiting
    // tests block all threads of the concurrent queues. On Linux the work of a concurrent queue would then wait for a
    // second.
    DispatchQueue(label: "LoopbackServer.handler").async { handler(request, responder) }
  }

  /// Ends the response after all steps have run and all bytes are sent. The throttle doesn't apply to the next
  /// response.
  private func finish(_ served: ServedRequest) {
    current = nil
    bytesPerSecond = nil
    resumesAt = nil
    if served.endsConnection {
      // After an incomplete or invalid request, more input may follow: closing at once would reset the connection.
      served.isComplete ? closeOrderly() : linger()
    }
  }

  /// Sends as many bytes as the system accepts.
  ///
  /// - Returns: whether all bytes are sent.
  @discardableResult
  private func flush() -> Bool {
    while !isClosed, !output.isEmpty {
      if let time = resumesAt {
        guard MonotonicTime.seconds >= time else { return false }
        resumesAt = nil
      }
      // Each call sends at most the bytes of a fiftieth of a second, so that a low rate is smooth.
      let limit = bytesPerSecond.map { max(1, $0 / 50) } ?? .max
      switch output[sentCount...].prefix(limit).withUnsafeBytes({ System.send($0, to: descriptor) }) {
      case .wouldBlock: return false
      case .failed: close()
      case .bytes(let count):
        sentCount += count
        if sentCount == output.count {
          // A large response must not keep its memory for the rest of the connection.
          output.removeAll(keepingCapacity: output.capacity <= 65_536)
          sentCount = 0
        }
        pace(count)
      }
    }
    return !isClosed
  }

  /// Delays the next bytes by the time that the sent bytes take at the limited rate.
  private func pace(_ count: Int) {
    guard let bytesPerSecond else { return }
    let time = MonotonicTime.seconds + Double(count) / Double(bytesPerSecond)
    resumesAt = time
    loop.endThrottle(of: self, at: time)
  }
}
