public import Foundation

extension RequestBody {
  /// The pieces of an asynchronous sequence, such as the ``ResponseStream`` of another request. Up to 64 KB of pieces
  /// wait for the transport. The sequence goes on when fewer wait.
  ///
  /// - Parameters:
  ///   - pieces: iterated for each sending, in a Swift task that is cancelled when the transfer ends. A thread waits
  ///     while there is no piece. An error that the sequence throws fails the request.
  ///   - contentType: the media type.
  ///   - length: the number of bytes; `nil` if it isn't known, and the bytes go out chunked.
  ///   - isReplayable: whether each iteration gives the same bytes, so that the request can be sent again.
  public static func stream<Pieces: AsyncSequence & Sendable>(
    _ pieces: Pieces, contentType: String, length: Int64? = nil, isReplayable: Bool = false
  ) -> RequestBody where Pieces.Element == Data {
    .stream(SequenceBody(pieces: pieces, length: length, isReplayable: isReplayable), contentType: contentType)
  }
}

/// A body of an asynchronous sequence, with a reader for each sending.
private struct SequenceBody<Pieces: AsyncSequence & Sendable>: TransportBody.Stream where Pieces.Element == Data {
  let pieces: Pieces
  let length: Int64?
  let isReplayable: Bool

  func makeReader() throws -> any TransportBody.Reader { SequenceReader(pieces) }
}

/// Iterates a sequence in a Swift task, and passes its pieces to the one thread that reads. The task retains the reader
/// until `close()`.
private final class SequenceReader: InterruptibleBodyReader {
  private struct State: Sendable {
    /// The bytes that aren't read yet. Passing on each small piece alone would cost two thread switches.
    var bytes = Data()
    /// The task that waits until fewer bytes are left; resumed with `false` if the rest isn't wanted.
    var writer: UnsafeContinuation<Bool, Never>?
    /// How the bytes end; `nil` while more may come.
    var end: Result<Void, any Error>?
    /// The task that iterates; `nil` before its start and after the end.
    var task: Task<Void, Never>?

    var isFull: Bool { bytes.count >= 65_536 }
  }

  /// Guards the bytes and the end. The writer is resumed after unlocking.
  private let state = Locked(State())
  /// Signalled after each change that the reader may wait for.
  private let changes = DispatchSemaphore(value: 0)

  init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == Data {
    let task = Task { [self] in
      let end: Result<Void, any Error>
      do {
        for try await piece in pieces { guard await write(piece) else { return } }
        end = .success(())
      } catch { end = .failure(error) }
      state.withLock { $0.end = $0.end ?? end }
      changes.signal()
    }
    state.withLock { $0.task = task }
  }

  /// - Returns: `false` if the transfer has ended.
  private func write(_ piece: Data) async -> Bool {
    await withUnsafeContinuation { writer in
      let (isOpen, isFirst, isFull) = state.withLock { state in
        guard state.end == nil else { return (false, false, false) }
        let isFirst = state.bytes.isEmpty
        // The rest is copied, because appending to a slice would retain the bytes before it.
        if state.bytes.startIndex > 0 { state.bytes = Data(state.bytes) }
        if isFirst { state.bytes = piece } else { state.bytes += piece }
        if state.isFull { state.writer = writer }
        return (true, isFirst, state.isFull)
      }
      if isFirst { changes.signal() }
      if !isFull { writer.resume(returning: isOpen) }
    }
  }

  /// Waits for bytes; empty at the end. Blocks the transport's reading thread.
  func read(upTo count: Int) throws -> Data {
    while true {
      let (data, writer, end) = state.withLock { state in
        let data = state.bytes.prefix(count)
        state.bytes = state.bytes.dropFirst(count)
        return (data, state.isFull ? nil : state.writer.take(), state.end)
      }
      writer?.resume(returning: true)
      if !data.isEmpty { return data }
      if let end {
        try end.get()
        return Data()
      }
      // A signal may be left over from a change that was seen before, so the loop looks again.
      changes.wait()
    }
  }

  func close() { interrupt() }

  /// Ends both sides. A read that waits fails, and the sequence goes no further.
  func interrupt() {
    let former = state.withLock { exchange(&$0, with: State(end: .failure(CancellationError()))) }
    former.writer?.resume(returning: false)
    changes.signal()
    former.task?.cancel()
  }
}
