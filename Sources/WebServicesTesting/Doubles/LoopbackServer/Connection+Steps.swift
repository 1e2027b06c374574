import Foundation
import WebServicesCore

extension LoopbackServer.Step {
  /// Whether the step only adds output. Every other step waits until the output before it is sent.
  var isSending: Bool {
    switch self {
    case .head, .body, .chunk, .lastChunk, .bytes, .repeated: true
    default: false
    }
  }
}

// The execution of each step.
extension Connection {
  /// Runs one step, or one portion of a repeated step.
  func perform(_ step: LoopbackServer.Step, of served: ServedRequest) {
    let before = output.count
    let hasBody = served.hasBody
    let isRepeated = if case .repeated = step { hasBody } else { false }
    if !isRepeated { served.finishStep() }
    switch step {
    case .head(let status, let headers): sendHead(status, headers, of: served)
    case .bytes(let data): output += data
    case .body(let data): if hasBody { output += data }
    case .chunk(let data): if hasBody { sendChunk(data) }
    case .lastChunk(let trailers): if hasBody { sendLastChunk(trailers) }
    case .repeated(let data, let times): if isRepeated { sendAgain(data, times: times, of: served) }
    case .delay(let seconds): wait(seconds)
    case .wait(let gate): wait(at: gate)
    case .never: pause = .stalled
    case .throttle(let rate): bytesPerSecond = max(1, rate)
    case .awaitNextRequest(let bytes): pause = .nextBytes(bytes)
    case .swallowNextRequest: pause = .nextRequest
    case .close: closeOrderly()
    case .reset: close(resets: true)
    }
    // The cut may lie within the bytes that this step has added.
    output.removeLast(served.countBytes(output.count - before))
  }

  private func sendHead(_ status: Int, _ headers: HTTPHeaders, of served: ServedRequest) {
    // Nothing is checked, because a test may need an invalid head.
    let phrase = (200...299).contains(status) ? "OK" : "Status"
    append("HTTP/1.1 \(status) \(phrase)\r\n")
    sendFields(headers)
    // The final head says whether the connection stays open, not an informational one (RFC 9110, section 15.2).
    if status >= 200 {
      // A `Connection` field of the test's own is sent as it is.
      if let connection = headers["Connection"] {
        if connection.lowercased() == "close" { served.endsConnection = true }
      } else if served.endsConnection {
        append("Connection: close\r\n")
      } else if served.request.minorVersion == 0 {
        append("Connection: keep-alive\r\n")
      }
    }
    append("\r\n")
  }

  private func sendFields(_ fields: HTTPHeaders) {
    for field in fields { append("\(field.name): \(field.value)\r\n") }
  }

  private func sendChunk(_ data: Data) {
    // A chunk of no bytes would end the body (RFC 9112, section 7.1).
    guard !data.isEmpty else { return }
    append(String(data.count, radix: 16) + "\r\n")
    output += data
    append("\r\n")
  }

  private func sendLastChunk(_ trailers: HTTPHeaders) {
    append("0\r\n")
    sendFields(trailers)
    append("\r\n")
  }

  /// Adds one portion of a repeated step to the output. The step stays current until all repetitions are sent.
  private func sendAgain(_ data: Data, times: Int?, of served: ServedRequest) {
    guard !data.isEmpty else { return served.finishStep() }
    let portion = max(1, 65_536 / data.count)
    let count = min(portion, times.map { $0 - served.repetitions } ?? portion)
    guard count > 0 else { return served.finishStep() }
    served.repetitions += count
    for _ in 0..<count { output += data }
  }

  private func wait(_ seconds: TimeInterval) {
    guard seconds > 0 else { return }
    pause = .time
    loop.endPause(of: self, after: seconds)
  }

  private func wait(at gate: LoopbackServer.Gate) {
    let (mailbox, connection) = (loop.core.mailbox, number)
    if !gate.arrive({ mailbox.post(.resume(connection: connection)) }) { pause = .gate }
  }

  /// Reads the unread input before closing, because closing with unread input would send a reset.
  func closeOrderly() {
    // 16 times, so that a client that keeps sending can't hold the server's thread.
    for _ in 0..<16 {
      guard case .bytes(let count) = System.receive(descriptor, into: loop.scratch), count > 0 else { break }
    }
    close()
  }

  /// Ends the output, and discards input for at most a second.
  func linger() {
    System.shutDownWriting(descriptor)
    pause = .lingering
    loop.endPause(of: self, after: 1)
  }
}
