import Foundation

/// Takes an answer to a file or a receiver, on a queue of its own. What can't be taken yet waits in memory.
final class FoundationSink: Sendable {
  /// Bytes that may wait before Foundation is asked to stop, where that can be asked.
  static let limit = 2 * 1024 * 1024

  private enum Target: Sendable {
    case file(FileHandle)
    case receiver(any TransportReceiver)
  }

  private struct State {
    var pending = Data()
    var isBusy = false
    var isClosed = false
    var failure: (any Error)?
    var onDrained: (@Sendable () -> Void)?
  }

  private let target: Target
  private let file: URL?
  private let queue = DispatchQueue(label: "FoundationSession.sink")
  private let state = Locked(State())
  private let onBusy: @Sendable (Bool) -> Void

  /// Creates the file; one that is there already is left alone, and is an error. `nil` for an answer in memory.
  ///
  /// - Parameter onBusy: told when there is something to take, and when all has been taken.
  init?(_ destination: TransportDestination, onBusy: @escaping @Sendable (Bool) -> Void) throws(TransportError) {
    switch destination {
    case .memory:
      return nil
    case .receiver(let receiver):
      target = .receiver(receiver)
      file = nil
    case .file(let url):
      do {
        guard url.isFileURL else { throw BodyFailure(description: "the URL isn't that of a file") }
        try Data().write(to: url, options: .withoutOverwriting)
        target = .file(try FileHandle(forWritingTo: url))
        file = url
      } catch {
        throw TransportError(
          .file, message: "the answer's file can't be made", mayHaveReachedServer: false, underlying: error)
      }
    }
    self.onBusy = onBusy
  }

  func begin(_ head: WebServiceResponse) {
    guard case .receiver(let receiver) = target else { return }
    queue.async { receiver.didReceive(head: head) }
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

  /// Drops what waits and tells the first failure, behind everything that was taken. Called once.
  func close(then done: @escaping @Sendable ((any Error)?) -> Void) {
    state.withLock { state in
      state.isClosed = true
      state.pending = Data()
      state.onDrained = nil
    }
    queue.async {
      var failure = self.state.withLock { $0.failure }
      if case .file(let file) = self.target {
        do { try file.close() } catch { failure = failure ?? error }
      }
      done(failure)
    }
  }

  /// Closes and removes the file: the exchange had ended before the file was made, so that nobody else would.
  func discard() {
    close { _ in
      if let file = self.file { try? FileManager.default.removeItem(at: file) }
    }
  }

  /// On the queue.
  private func handOn() {
    while let piece = next() {
      switch target {
      case .file(let file):
        do {
          try file.write(contentsOf: piece)
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
        }
      case .receiver(let receiver):
        let isGoing = Locked(false)
        // Weak: a receiver that keeps this must not keep itself.
        return receiver.didReceive(piece) { [weak self] in
          let isFirst = isGoing.withLock { isGoing in
            defer { isGoing = true }
            return !isGoing
          }
          guard isFirst, let self else { return }
          self.queue.async { self.handOn() }
        }
      }
    }
  }

  private func next() -> Data? {
    let (piece, onDrained) = state.withLock { state -> (Data?, (@Sendable () -> Void)?) in
      defer { state.pending = Data() }
      guard state.pending.isEmpty else { return (state.pending, nil) }
      state.isBusy = false
      defer { state.onDrained = nil }
      return (nil, state.onDrained)
    }
    if piece == nil {
      onBusy(false)
      onDrained?()
    }
    return piece
  }
}
