import Foundation
public import WebServices

// Answers made from answers: what happens around, between and instead of their parts. They can be combined.
extension LoopbackServer.Answer {
  /// Does something before the head: `.text("late").beforeHead(.delay(0.2))`.
  public func beforeHead(_ steps: LoopbackServer.Step...) -> Self {
    replacingSteps(steps + self.steps)
  }

  /// Does something between the head and the body: `.text("never").afterHead(.stall)`.
  public func afterHead(_ steps: LoopbackServer.Step...) -> Self {
    let end = self.steps.lastIndex { $0.isHead }.map { $0 + 1 } ?? 0
    return replacingSteps(self.steps[..<end] + steps + self.steps[end...])
  }

  /// Does something between any two lines of the head, which is sent as it is: `Connection` isn't added to it.
  public func betweenHeaderLines(_ step: LoopbackServer.Step) -> Self {
    replacingSteps(
      steps.flatMap { original -> [LoopbackServer.Step] in
        guard case .head(let status, let reason, let headers) = original else { return [original] }
        let lines = [HeadRendering.statusLine(status, reason: reason)] + headers.map(HeadRendering.fieldLine)
        return lines.flatMap { [.text($0), step] } + [.text("\r\n")]
      })
  }

  /// Does something between any two pieces of the body.
  public func betweenPieces(_ step: LoopbackServer.Step) -> Self {
    var isFirst = true
    return replacingSteps(
      steps.flatMap { original -> [LoopbackServer.Step] in
        guard original.isPiece else { return [original] }
        defer { isFirst = false }
        return isFirst ? [original] : [step, original]
      })
  }

  /// Does something when everything is sent: `.text("last").then(.close)`.
  public func then(_ steps: LoopbackServer.Step...) -> Self {
    replacingSteps(self.steps + steps)
  }

  /// Sends everything at so many bytes a second; with few, byte by byte.
  public func throttled(bytesPerSecond: Int) -> Self {
    replacingSteps([.throttle(bytesPerSecond: bytesPerSecond)] + steps)
  }

  /// Sends so many bytes of the answer, head included, and does something else instead of the rest:
  /// `.json(…).cut(afterBytes: 40, then: .reset)`.
  public func cut(afterBytes count: Int, then steps: LoopbackServer.Step...) -> Self {
    var answer = self
    answer.cut = Cut(bytes: max(0, count), steps: steps)
    return answer
  }

  /// Sends an informational head (100, 102, 103) before the answer.
  public func preceded(byStatus status: Int, headers: HTTPHeaders = [:]) -> Self {
    replacingSteps([.head(status: status, headers: headers)] + steps)
  }

  /// Answers, reads the next request on the connection and closes it without a word: a kept-alive connection that
  /// goes stale under the client's hands. The next request is recorded.
  public func thenSwallowingNextRequest() -> Self {
    then(.swallowNextRequest, .close)
  }

  /// Answers, and closes the connection as soon as the first bytes of the next request have come.
  public func thenClosingOnNextRequest(afterBytes count: Int = 1) -> Self {
    then(.awaitNextRequest(bytes: count), .close)
  }

  private func replacingSteps(_ steps: some Sequence<LoopbackServer.Step>) -> Self {
    var answer = self
    answer.steps = Array(steps)
    return answer
  }
}

extension LoopbackServer.Step {
  fileprivate var isHead: Bool {
    if case .head = self { return true }
    return false
  }

  fileprivate var isPiece: Bool {
    switch self {
    case .body, .chunk, .lastChunk, .repeated: true
    default: false
    }
  }
}
