#if os(Linux)
  import Foundation

  /// Reads a body ahead on a queue of its own, so that no thread of the transport's waits for it.
  ///
  /// The reader is called on `queue` alone.
  final class CurlBodySource: Sendable {
    enum Step {
      /// So many bytes were given; none at the end.
      case bytes(Int)
      /// There are none yet; `wake` is called when there are, or at the end.
      case wait
      case failed(any Error)
    }

    private struct State: Sendable {
      var pieces: [Data] = []
      var buffered = 0
      var total: Int64 = 0
      var isFilling = false
      var isAtEnd = false
      var isAwaited = false
      var isStopped = false
      var failure: (any Error)?

      /// Whether there is something to read, and room for it.
      var wantsMore: Bool { !isAtEnd && !isStopped && failure == nil && buffered < CurlBodySource.readAhead }

      mutating func copy(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count, let piece = pieces.first {
          let part = piece.prefix(buffer.count - count)
          part.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
          count += part.count
          if part.count == piece.count {
            pieces.removeFirst()
          } else {
            pieces[0] = piece.dropFirst(part.count)
          }
        }
        buffered -= count
        return count
      }
    }

    private static let pieceSize = 128 * 1024
    private static let readAhead = 256 * 1024

    let length: Int64?
    private let reader: any TransportBodyReader
    private let wake: @Sendable () -> Void
    private let queue = DispatchQueue(label: "CurlSession.body")
    private let state = Locked(State())

    init(reader: any TransportBodyReader, length: Int64?, wake: @escaping @Sendable () -> Void) {
      self.reader = reader
      self.length = length
      self.wake = wake
    }

    /// Gives what has been read. Called by the thread that drives libcurl.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Step {
      let (step, fills) = state.withLock { state -> (Step, Bool) in
        let count = state.copy(into: buffer)
        let fills = state.wantsMore && !state.isFilling
        if fills { state.isFilling = true }
        if count > 0 { return (.bytes(count), fills) }
        if let failure = state.failure { return (.failed(failure), fills) }
        if state.isAtEnd { return (.bytes(0), fills) }
        state.isAwaited = true
        return (.wait, fills)
      }
      if fills { queue.async { self.readAhead() } }
      return step
    }

    /// Releases the reader, once it has returned.
    func stop() {
      let isFirst = state.withLock { state in
        defer { state.isStopped = true }
        return !state.isStopped
      }
      if isFirst { queue.async { self.reader.close() } }
    }

    private func readAhead() {
      while let count = nextCount() {
        let result = Result { count == 0 ? Data() : try reader.read(upTo: count) }
        if take(result, asked: count) { wake() }
      }
    }

    /// How many bytes to read now, or `nil` to leave off.
    private func nextCount() -> Int? {
      state.withLock { state in
        guard state.wantsMore else {
          state.isFilling = false
          return nil
        }
        guard let length else { return CurlBodySource.pieceSize }
        return Int(min(length - state.total, Int64(CurlBodySource.pieceSize)))
      }
    }

    /// Takes what was read; whether somebody waits for it.
    private func take(_ result: Result<Data, any Error>, asked count: Int) -> Bool {
      state.withLock { state in
        switch result {
        case .failure(let error):
          state.failure = error
        case .success(let data) where data.count > count:
          state.failure = BodyFailure(description: "the reader gave \(data.count) bytes when asked for \(count)")
        case .success(let data) where data.isEmpty:
          state.isAtEnd = true
          if let length, state.total < length {
            state.failure = BodyFailure(description: "the body ended after \(state.total) of \(length) bytes")
          }
        case .success(let data):
          state.pieces.append(data)
          state.buffered += data.count
          state.total += Int64(data.count)
        }
        defer { state.isAwaited = false }
        return state.isAwaited
      }
    }
  }
#endif
