import Foundation
import WebServices

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
  func perform(_ step: LoopbackServer.Step, of exchange: Exchange) {
    let before = output.count
    if case .repeated(let data, let times) = step {
      sendAgain(data, times: times, of: exchange)
    } else {
      exchange.finishStep()
      step.isSending ? send(step, of: exchange) : act(step)
    }
    if step.isSending { output.removeLast(exchange.countBytes(output.count - before)) }
  }

  private func send(_ step: LoopbackServer.Step, of exchange: Exchange) {
    guard !outputEnded else { return }
    let hasBody = exchange.request.method != .head
    switch step {
    case .head(let status, let reason, let headers): sendHead(status, reason, headers, of: exchange)
    case .bytes(let data): output.append(data)
    case .body(let data): if hasBody { output.append(data) }
    case .chunk(let data): if hasBody { sendChunk(data) }
    case .lastChunk(let trailers): if hasBody { sendLastChunk(trailers) }
    default: break
    }
  }

  private func act(_ step: LoopbackServer.Step) {
    switch step {
    case .delay(let seconds): wait(seconds)
    case .wait(let gate): wait(at: gate)
    case .stall: pause = .stalled
    case .throttle(let rate): bytesPerSecond = max(1, rate)
    case .awaitBody: pause = .body
    case .awaitNextRequest(let bytes): pause = .nextBytes(bytes)
    case .swallowNextRequest: pause = .nextRequest
    case .stopReading: isReading = false
    case .startReading: isReading = true
    case .halfClose: endOutput()
    case .close: closeOrderly()
    case .reset:
      System.resetOnClose(descriptor)
      close()
    default: break
    }
  }

  private func sendHead(_ status: Int, _ reason: String?, _ headers: HTTPHeaders, of exchange: Exchange) {
    output.append(HeadRendering.statusLine(status, reason: reason))
    for field in headers { output.append(HeadRendering.fieldLine(field)) }
    if status >= 200 {
      if let connection = headers["Connection"] {
        if connection.lowercased() == "close" { exchange.endsConnection = true }
      } else if exchange.endsConnection {
        output.append("Connection: close\r\n")
      } else if exchange.request.minorVersion == 0 {
        output.append("Connection: keep-alive\r\n")
      }
    }
    output.append("\r\n")
  }

  private func sendChunk(_ data: Data) {
    guard !data.isEmpty else { return }
    output.append(String(data.count, radix: 16) + "\r\n")
    output.append(data)
    output.append("\r\n")
  }

  private func sendLastChunk(_ trailers: HTTPHeaders) {
    output.append("0\r\n")
    for field in trailers { output.append(HeadRendering.fieldLine(field)) }
    output.append("\r\n")
  }

  /// Sends one portion of a repeated step. The step stays current until all repetitions are sent.
  private func sendAgain(_ data: Data, times: Int?, of exchange: Exchange) {
    guard !data.isEmpty, !outputEnded else { return exchange.finishStep() }
    let portion = max(1, 65_536 / data.count)
    let count = min(portion, times.map { $0 - exchange.repetitions } ?? portion)
    guard count > 0 else { return exchange.finishStep() }
    exchange.repetitions += count
    for _ in 0..<count { output.append(data) }
  }

  private func wait(_ seconds: TimeInterval) {
    guard seconds > 0 else { return }
    pause = .time
    ticket += 1
    loop.wake(self, ticket: ticket, at: System.now() + seconds)
  }

  private func wait(at gate: LoopbackServer.Gate) {
    ticket += 1
    let (mailbox, connection, ticket) = (loop.core.mailbox, number, ticket)
    if !gate.arrive({ mailbox.post(.resume(connection: connection, ticket: ticket)) }) { pause = .gate }
  }

  private func endOutput() {
    System.shutDownWriting(descriptor)
    outputEnded = true
  }

  /// Reads the unread input before closing, because closing with unread input would send a reset.
  func closeOrderly() {
    for _ in 0..<16 {
      guard case .bytes(let count) = System.receive(descriptor, into: loop.scratch), count > 0 else { break }
    }
    close()
  }

  /// Ends the output, and discards input for at most a second.
  func linger() {
    endOutput()
    pause = .lingering
    ticket += 1
    loop.wake(self, ticket: ticket, at: System.now() + 1)
  }
}
