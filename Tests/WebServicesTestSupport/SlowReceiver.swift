/// Receives one piece, and then blocks until it is released.
final class SlowReceiver: TransportRequest.Receiver {
  private struct State {
    var isLetGo = false
    var proceed: (@Sendable () -> Void)?
    var content = Data()
    var status = 0
  }

  let pieces = Collector<Void>()
  private let state = Locked(State())

  /// - Parameter isLetGo: whether the receiver never blocks.
  init(isLetGo: Bool = false) { if isLetGo { letGo() } }

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
  }

  func letGo() {
    let proceed = state.withLock { state in
      state.isLetGo = true
      return state.proceed
    }
    for _ in 0..<2 { proceed?() }
  }
}
