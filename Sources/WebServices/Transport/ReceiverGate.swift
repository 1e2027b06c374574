import Foundation

/// Passes a response from a transport to a receiver, one piece at a time, and keeps the pieces that arrive meanwhile.
///
/// Call `begin`, then `add` for each piece, then `close`. A transport that can pause a transfer checks `isIdle` first.
/// Any other transport checks the number of waiting bytes that `add` returns.
final class ReceiverGate: Sendable {
  private struct State: Sendable {
    var pending = Data()
    /// Whether the receiver has a piece or is about to get one.
    var isBusy = false
    var isClosed = false
    var onIdle: (@Sendable () -> Void)?
  }

  private let receiver: any TransportRequest.Receiver
  private let queue: DispatchQueue?
  private let onBusy: @Sendable (Bool) -> Void
  /// Guards the waiting bytes. The receiver is called without the lock.
  private let state = Locked(State())

  /// - Parameters:
  ///   - queue: the queue on which the receiver is called; `nil` for the calling thread.
  ///   - onBusy: called on that queue with `true` when the receiver gets a piece, and with `false` when the receiver
  ///     has consumed all pieces.
  init(
    _ receiver: any TransportRequest.Receiver, on queue: DispatchQueue? = nil,
    onBusy: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.receiver = receiver
    self.queue = queue
    self.onBusy = onBusy
  }

  /// Gives the receiver the head. Called once, before the first piece.
  func begin(_ head: WebServiceResponse) { perform { self.receiver.didReceive(head: head) } }

  /// Whether the receiver is ready for a piece. Otherwise `handler` is called once the receiver is ready, unless the
  /// gate is closed before.
  func isIdle(orCall handler: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if state.isBusy { state.onIdle = handler }
      return !state.isBusy
    }
  }

  /// Gives the receiver a piece, or keeps the piece until the receiver is ready.
  ///
  /// - Returns: the number of waiting bytes.
  @discardableResult
  func add(_ piece: Data) -> Int {
    let (isFirst, count) = state.withLock { state in
      guard !state.isClosed else { return (false, 0) }
      if state.pending.isEmpty { state.pending = piece } else { state.pending.append(piece) }
      defer { state.isBusy = true }
      return (!state.isBusy, state.pending.count)
    }
    if isFirst { perform(deliverPending) }
    return count
  }

  /// Drops the waiting bytes, and calls the handler after the receiver's last call. Called once.
  func close(then done: @escaping @Sendable () -> Void = {}) {
    // `onIdle` retains the transfer, which must not be released under the lock.
    _ = state.withLock { exchange(&$0, with: State(isClosed: true)) }
    perform(done)
  }

  private func perform(_ body: @escaping @Sendable () -> Void) {
    if let queue { queue.async(execute: body) } else { body() }
  }

  /// Gives the receiver all waiting bytes as one piece. If no byte waits, this tells the transport that the receiver is
  /// ready.
  @Sendable private func deliverPending() {
    let (piece, onIdle) = state.withLock { state -> (Data, (@Sendable () -> Void)?) in
      state.isBusy = !state.pending.isEmpty
      return (exchange(&state.pending, with: Data()), state.isBusy ? nil : state.onIdle.take())
    }
    onBusy(!piece.isEmpty)
    guard !piece.isEmpty else {
      onIdle?()
      return
    }
    // A second call for the same piece does nothing.
    let isFirst = Once()
    // Weak, because the gate retains the receiver: a receiver that stores this closure would never be released.
    receiver.didReceive(piece) { [weak self] in
      if let self, isFirst() { perform(deliverPending) }
    }
  }
}
