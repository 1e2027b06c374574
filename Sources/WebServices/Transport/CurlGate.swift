#if os(Linux)
  import Foundation

  /// Back pressure: lets one piece of a response pass to the receiver at a time.
  final class CurlGate: Sendable {
    private struct State: Sendable {
      var reopen: (@Sendable () -> Void)?
      /// The number of the piece that the receiver was given last.
      var piece = 0
      /// Whether the receiver has yet to say that it is ready for the next piece.
      var isTaken = false
      /// Whether the transport waits for the receiver.
      var isBlocked = false
    }

    private let state: Locked<State>

    /// - Parameter reopen: called when the transport had to wait and the receiver is ready again.
    init(reopen: @escaping @Sendable () -> Void) {
      state = Locked(State(reopen: reopen))
    }

    /// Lets a piece pass. While the receiver holds the piece before it, nothing passes, and `reopen` is called later.
    ///
    /// - Returns: what the receiver calls once it is ready for the next piece; a second call does nothing.
    func enter() -> (@Sendable () -> Void)? {
      let piece = state.withLock { state -> Int? in
        guard !state.isTaken else {
          state.isBlocked = true
          return nil
        }
        state.isTaken = true
        state.piece += 1
        return state.piece
      }
      guard let piece else { return nil }
      return { self.leave(piece) }
    }

    private func leave(_ piece: Int) {
      let reopen = state.withLock { state -> (@Sendable () -> Void)? in
        guard state.isTaken, state.piece == piece else { return nil }
        state.isTaken = false
        defer { state.isBlocked = false }
        return state.isBlocked ? state.reopen : nil
      }
      reopen?()
    }

    /// Releases the transfer when it is over: a receiver that keeps the last `proceed` must not keep the transfer.
    func close() {
      let reopen = state.withLock { state in
        defer { state.reopen = nil }
        return state.reopen
      }
      // `reopen` retains the transfer's task, which must not be released under the lock.
      withExtendedLifetime(reopen) {}
    }
  }
#endif
