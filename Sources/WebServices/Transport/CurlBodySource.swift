#if os(Linux)
  import Foundation

  /// Reads a request's body ahead on its own queue, so that no thread of the transport waits for a file or an app's
  /// code.
  ///
  /// Call `copyBytes(into:)` for the next bytes, and `stop()` once. `reader` is called only on `queue`, except for
  /// `interrupt()`.
  final class CurlBodySource: Sendable {
    /// The result of `copyBytes(into:)`.
    enum Step {
      /// The number of bytes that were given; 0 at the end.
      case bytes(Int)
      /// No byte is there yet. The source calls `wake` when there is one, or at the end.
      case wait
      case failed(any Error)
    }

    private struct State: Sendable {
      /// The bytes that libcurl gets next, and those that came after them. One array of all pieces would take long to
      /// empty where the pieces are small.
      var next = Data()
      var later = Data()
      /// Whether `queue` reads or is about to.
      var isFilling = false
      /// Whether libcurl has paused the upload until `wake` is called.
      var isAwaited = false
      /// How the reader ended; `nil` while it may have more, and is wanted.
      var end: Result<Void, any Error>?

      /// Makes `queue` read if there is something to read, and room for it.
      ///
      /// - Returns: whether `queue` has to read.
      mutating func beginFilling() -> Bool {
        isFilling = end == nil && next.count + later.count < CurlBodySource.readAhead
        return isFilling
      }

      mutating func copy(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if next.isEmpty { (next, later) = (later, Data()) }
        let count = next.copyBytes(to: buffer)
        next = next.dropFirst(count)
        return count
      }
    }

    static let pieceSize = 128 * 1024
    /// The bytes to hold in memory: libcurl sends one piece while the reader makes the other.
    private static let readAhead = 2 * pieceSize

    var length: Int64? { reader.length }
    private let reader: CountedReader
    private let wake: @Sendable () -> Void
    private let queue = DispatchQueue(label: "CurlSession.body")
    /// Guards the bytes between `queue`, which adds them, and the thread that drives libcurl.
    private let state = Locked(State())

    /// Opens the body, which may block; `nil` for a body in memory.
    init?(_ body: TransportBody, wake: @escaping @Sendable () -> Void) throws {
      guard let reader = try body.makeReader() else { return nil }
      self.reader = reader
      self.wake = wake
    }

    /// Removes bytes that have been read. Called by the thread that drives libcurl.
    func copyBytes(into buffer: UnsafeMutableRawBufferPointer) -> Step {
      let (step, fills) = state.withLock { state -> (Step, Bool) in
        let count = state.copy(into: buffer)
        let fills = !state.isFilling && state.beginFilling()
        if count > 0 { return (.bytes(count), fills) }
        switch state.end {
        case .success: return (.bytes(0), fills)
        case .failure(let error): return (.failed(error), fills)
        case nil:
          state.isAwaited = true
          return (.wait, fills)
        }
      }
      if fills { queue.async { self.readAhead() } }
      return step
    }

    /// Takes the bytes back that `copyBytes(into:)` gave last, and that libcurl doesn't send now.
    func takeBack(_ bytes: UnsafeRawBufferPointer) { state.withLock { $0.next = Data(bytes) + $0.next } }

    /// Interrupts a read that waits, and closes the reader after that read. Called once.
    func stop() {
      state.withLock { $0.end = .success(()) }
      // A thread that drives libcurl calls this, and the interruption may run an app's code.
      DispatchQueue.global().async { self.reader.interrupt() }
      queue.async { self.reader.close() }
    }

    private func readAhead() {
      while state.withLock({ $0.beginFilling() }) {
        let result = Result { try reader.read(upTo: Self.pieceSize) }
        let isAwaited = state.withLock { state in
          switch result {
          case .failure(let error): state.end = .failure(error)
          case .success(let data) where data.isEmpty: state.end = .success(())
          case .success(let data):
            if state.later.isEmpty { state.later = data } else { state.later.append(data) }
          }
          return exchange(&state.isAwaited, with: false)
        }
        if isAwaited { wake() }
      }
    }
  }
#endif
