/// Receives one piece, and then blocks until it is released, or until its work on the piece is done.
final class SlowReceiver: TransportRequest.Receiver {
  private struct State {
    var isLetGo = false
    var proceed: (@Sendable () -> Void)?
    var content = Data()
    var status = 0
  }

  let pieces = Collector<Void>()
  private let state = Locked(State())
  private let work: @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - isLetGo: whether the receiver never blocks.
  ///   - work: called with each piece; the receiver takes the next one when `done` is called.
  init(isLetGo: Bool = false, work: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void = { _ in }) {
    self.work = work
    if isLetGo { letGo() }
  }

  var content: Data { state.withLock { $0.content } }
  var byteCount: Int { content.count }
  var status: Int { state.withLock { $0.status } }

  func didReceive(head: WebServiceResponse) { state.withLock { $0.status = head.statusCode } }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    let goesOn = state.withLock { state in
      state.content += piece
      state.proceed = proceed
      return state.isLetGo
    }
    pieces.add()
    if goesOn { proceed() }
    work(proceed)
  }

  func letGo() {
    let proceed = state.withLock { state in
      state.isLetGo = true
      return state.proceed
    }
    for _ in 0..<2 { proceed?() }
  }
}
