import Foundation

/// Back pressure between a transport and a receiver. The receiver gets one piece at a time, and the gate keeps the
/// pieces that arrive meanwhile. A transport that can wait asks `isIdle` first. Any other transport checks the number
/// of waiting bytes.
final class ReceiverGate: Sendable {
  private struct State: Sendable {
    var pending = Data()
    /// Whether the receiver has a piece or is about to get one.
    var isBusy = false
    var isClosed = false
    /// How many pieces the receiver was given.
    var count = 0
    /// Whether the receiver has yet to ask for the piece behind the last one.
    var isHeld = false
    var onIdle: (@Sendable () -> Void)?
  }

  private let receiver: any TransportReceiver
  private let queue: DispatchQueue?
  private let onBusy: @Sendable (Bool) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - queue: the queue on which the receiver is called; `nil` for the calling thread.
  ///   - onBusy: called on that queue when the receiver gets a piece, and when it has consumed all pieces.
  init(
    _ receiver: any TransportReceiver, on queue: DispatchQueue? = nil,
    onBusy: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.receiver = receiver
    self.queue = queue
    self.onBusy = onBusy
  }

  func begin(_ head: WebServiceResponse) {
    perform { self.receiver.didReceive(head: head) }
  }

  /// Whether the receiver is ready for a piece. If it isn't, `handler` is called once it is, unless the gate is closed
  /// before.
  func isIdle(orCall handler: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if state.isBusy { state.onIdle = handler }
      return !state.isBusy
    }
  }

  /// Hands a piece on, or keeps it behind those before it.
  ///
  /// - Returns: how many bytes wait.
  @discardableResult
  func add(_ piece: Data) -> Int {
    let (isFirst, count) = state.withLock { state in
      guard !state.isClosed else { return (false, 0) }
      if state.pending.isEmpty { state.pending = piece } else { state.pending.append(piece) }
      defer { state.isBusy = true }
      return (!state.isBusy, state.pending.count)
    }
    if isFirst { perform(handOn) }
    return count
  }

  /// Drops what waits, and calls the handler behind everything that the receiver was given. Called once.
  func close(then done: @escaping @Sendable () -> Void = {}) {
    let former = state.withLock { state in
      defer { state = State(isClosed: true) }
      return state
    }
    perform(done)
    // `onIdle` retains the transfer, which must not be released under the lock.
    withExtendedLifetime(former) {}
  }

  private func perform(_ body: @escaping @Sendable () -> Void) {
    if let queue { queue.async(execute: body) } else { body() }
  }

  /// Gives the receiver what waits.
  @Sendable private func handOn() {
    let (piece, count, onIdle) = state.withLock { state -> (Data, Int, (@Sendable () -> Void)?) in
      let piece = state.pending
      let onIdle = piece.isEmpty ? state.onIdle : nil
      if piece.isEmpty { state.onIdle = nil }
      state.pending = Data()
      state.isBusy = !piece.isEmpty
      state.isHeld = !piece.isEmpty
      state.count += 1
      return (piece, state.count, onIdle)
    }
    onBusy(!piece.isEmpty)
    guard !piece.isEmpty else {
      onIdle?()
      return
    }
    // Weak: a receiver that keeps this closure must not keep itself.
    receiver.didReceive(piece) { [weak self] in self?.proceed(behind: count) }
  }

  /// The receiver asks for more. A second call for the same piece does nothing.
  private func proceed(behind count: Int) {
    let isFirst = state.withLock { state in
      guard state.count == count else { return false }
      defer { state.isHeld = false }
      return state.isHeld
    }
    if isFirst { perform(handOn) }
  }
}
