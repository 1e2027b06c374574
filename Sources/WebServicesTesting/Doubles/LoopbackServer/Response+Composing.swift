public import Foundation

// Modifiers of responses. They can be combined.
extension LoopbackServer.Response {
  /// A copy that arrives later.
  ///
  /// - Parameter delay: the delay in seconds. An infinite delay means never.
  public func delayed(by delay: TimeInterval) -> Self {
    beforeHead(.delay(delay))
  }

  /// Runs steps before the head: `.text("late").beforeHead(.delay(0.2))`.
  public func beforeHead(_ steps: LoopbackServer.Step...) -> Self {
    replacingSteps(steps + self.steps)
  }

  /// Runs steps between the head and the body: `.text("late").afterHead(.delay(0.2))`.
  public func afterHead(_ steps: LoopbackServer.Step...) -> Self {
    var all = self.steps
    all.insert(contentsOf: steps, at: all.lastIndex { $0.isHead }.map { $0 + 1 } ?? 0)
    return replacingSteps(all)
  }

  /// Runs a step between the pieces of the body.
  public func betweenPieces(_ step: LoopbackServer.Step) -> Self {
    var isFirst = true
    return replacingSteps(
      steps.flatMap { original -> [LoopbackServer.Step] in
        guard original.isPiece else { return [original] }
        defer { isFirst = false }
        return isFirst ? [original] : [step, original]
      })
  }

  /// Runs steps after everything is sent: `.text("last").then(.close)`.
  public func then(_ steps: LoopbackServer.Step...) -> Self {
    replacingSteps(self.steps + steps)
  }

  /// Limits the rate of the response. At a low rate every byte is sent alone.
  ///
  /// - Parameter bytesPerSecond: the rate. Below 1 counts as 1.
  public func throttled(bytesPerSecond: Int) -> Self {
    replacingSteps([.throttle(bytesPerSecond: bytesPerSecond)] + steps)
  }

  /// Sends this many bytes, including the head, and then runs other steps instead of the rest:
  /// `.json(…).cut(afterBytes: 40, then: .reset)`.
  ///
  /// - Parameters:
  ///   - count: the bytes to send, including the head. A negative number counts as 0.
  ///   - steps: run instead of the rest, and may send more bytes. Without steps the connection stays open and reads the
  ///     next request, so the client waits for the rest until its timeout. To break the response off, use `.close` or
  ///     `.reset`.
  public func cut(afterBytes count: Int, then steps: LoopbackServer.Step...) -> Self {
    var response = self
    response.cut = Cut(bytes: max(0, count), steps: steps)
    return response
  }

  /// Sends the response, reads the next request on the connection, records it and closes the connection. The client
  /// sees a kept-alive connection become stale.
  public func thenSwallowingNextRequest() -> Self {
    then(.swallowNextRequest, .close)
  }

  /// Sends the response, and closes the connection when the first bytes of the next request arrive.
  public func thenClosingOnNextRequest(afterBytes count: Int = 1) -> Self {
    then(.awaitNextRequest(bytes: count), .close)
  }

  private func replacingSteps(_ steps: some Sequence<LoopbackServer.Step>) -> Self {
    var response = self
    response.steps = Array(steps)
    return response
  }
}

extension LoopbackServer.Step {
  fileprivate var isHead: Bool { if case .head = self { true } else { false } }

  fileprivate var isPiece: Bool {
    switch self {
    case .body, .chunk, .lastChunk, .repeated: true
    default: false
    }
  }
}
