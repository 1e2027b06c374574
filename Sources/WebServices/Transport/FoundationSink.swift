import Foundation

/// Hands a response on to a receiver, on a queue of its own. Pieces that the receiver isn't ready for wait in memory.
final class FoundationSink: Sendable {
  /// Bytes that may wait before Foundation is asked to stop, where that can be asked.
  static let limit = 2 * 1024 * 1024

  private struct State: Sendable {
    var pending = Data()
    var isBusy = false
    var isClosed = false
    var onDrained: (@Sendable () -> Void)?
  }

  private let receiver: any TransportReceiver
  private let queue = DispatchQueue(label: "FoundationSession.sink")
  private let state = Locked(State())
  private let onBusy: @Sendable (Bool) -> Void

  /// - Parameter onBusy: told when there is something to take, and when all has been taken.
  init(_ receiver: any TransportReceiver, onBusy: @escaping @Sendable (Bool) -> Void) {
    self.receiver = receiver
    self.onBusy = onBusy
  }

  func begin(_ head: WebServiceResponse) {
    queue.async { self.receiver.didReceive(head: head) }
  }

  /// Puts a piece behind those before it; how many bytes wait.
  func add(_ piece: Data) -> Int {
    let (isFirst, count) = state.withLock { state in
      guard !state.isClosed else { return (false, 0) }
      state.pending.append(piece)
      defer { state.isBusy = true }
      return (!state.isBusy, state.pending.count)
    }
    if isFirst {
      onBusy(true)
      queue.async { self.handOn() }
    }
    return count
  }

  /// Calls the handler once all has been taken, unless the sink is closed before.
  func whenDrained(_ handler: @escaping @Sendable () -> Void) {
    let isDrained = state.withLock { state in
      if state.isBusy { state.onDrained = handler }
      return !state.isBusy
    }
    if isDrained { handler() }
  }

  /// Drops what waits, and calls the handler behind everything that the receiver was given. Called once.
  func close(then done: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.isClosed = true
      state.pending = Data()
      state.onDrained = nil
    }
    queue.async(execute: done)
  }

  /// Gives the receiver what waits. Runs on the queue.
  private func handOn() {
    let (piece, onDrained) = state.withLock { state -> (Data, (@Sendable () -> Void)?) in
      defer { state.pending = Data() }
      guard state.pending.isEmpty else { return (state.pending, nil) }
      state.isBusy = false
      defer { state.onDrained = nil }
      return (Data(), state.onDrained)
    }
    guard !piece.isEmpty else {
      onBusy(false)
      onDrained?()
      return
    }
    let isFirst = Once()
    // Weak: a receiver that keeps this must not keep itself.
    receiver.didReceive(piece) { [weak self] in
      guard isFirst(), let self else { return }
      self.queue.async { self.handOn() }
    }
  }
}
