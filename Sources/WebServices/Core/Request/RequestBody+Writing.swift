import Dispatch
public import Foundation

extension RequestBody {
  /// Bytes that a closure writes while they are sent.
  ///
  /// ```swift
  /// let body = RequestBody.stream(contentType: "text/csv") { body in
  ///   for try await row in rows { try await body.write(Data("\(row)\n".utf8)) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - contentType: the media type.
  ///   - length: the number of bytes; `nil` if it isn't known, and the bytes go out chunked.
  ///   - isReplayable: whether each call of the closure writes the same bytes, so that the request can be sent again.
  ///   - write: called for each sending, in a Swift task that is cancelled when the transfer ends. A thread waits while
  ///     the closure has nothing to write. An error that it throws fails the request.
  public static func stream(
    contentType: String, length: Int64? = nil, isReplayable: Bool = false,
    write: @escaping @Sendable (Writer) async throws -> Void
  ) -> RequestBody {
    .stream(WrittenBodyStream(length: length, isReplayable: isReplayable, write: write), contentType: contentType)
  }

  /// The pieces of an asynchronous sequence, such as the ``ResponseStream`` of another request. The sequence goes on
  /// when the transport has taken a piece.
  ///
  /// - Parameters:
  ///   - pieces: iterated for each sending.
  ///   - contentType: the media type.
  ///   - length: the number of bytes; `nil` if it isn't known, and the bytes go out chunked.
  ///   - isReplayable: whether each iteration gives the same bytes, so that the request can be sent again.
  public static func stream<Pieces: AsyncSequence & Sendable>(
    _ pieces: Pieces, contentType: String, length: Int64? = nil, isReplayable: Bool = false
  ) -> RequestBody where Pieces.Element == Data {
    .stream(contentType: contentType, length: length, isReplayable: isReplayable) { body in
      for try await piece in pieces { try await body.write(piece) }
    }
  }

  /// Sends the bytes of a body. The closure of ``RequestBody/stream(contentType:length:isReplayable:write:)`` receives
  /// it.
  public struct Writer: Sendable {
    fileprivate let pipe: BodyPipe

    /// Sends bytes, and returns when the transport has taken them.
    ///
    /// - Parameter data: any number of bytes. Empty data returns at once.
    /// - Throws: `CancellationError` if the transfer has ended.
    public func write(_ data: Data) async throws {
      guard await pipe.write(data) else { throw CancellationError() }
    }
  }
}

/// A body that a closure writes, with a reader for each sending.
private struct WrittenBodyStream: TransportBodyStream {
  let length: Int64?
  let isReplayable: Bool
  let write: @Sendable (RequestBody.Writer) async throws -> Void

  func makeReader() throws -> any TransportBodyReader { WrittenBodyReader(write) }
}

/// Runs the closure that writes a body, once for one sending, and gives the bytes to the transport.
private final class WrittenBodyReader: InterruptibleBodyReader {
  private let pipe = BodyPipe()
  private let task: Task<Void, Never>

  init(_ write: @escaping @Sendable (RequestBody.Writer) async throws -> Void) {
    // The task retains the pipe but not the reader, so that releasing the reader cancels the closure.
    task = Task { [pipe] in
      do {
        try await write(RequestBody.Writer(pipe: pipe))
        pipe.end(.success(()))
      } catch {
        pipe.end(.failure(error))
      }
    }
  }

  deinit {
    interrupt()
  }

  func read(upTo count: Int) throws -> Data { try pipe.read(upTo: count) }

  func close() { interrupt() }

  func interrupt() {
    pipe.close()
    task.cancel()
  }
}

/// Passes bytes from the Swift tasks that write to the one thread that reads.
private final class BodyPipe: Sendable {
  /// The bytes of one `write`, and the writer that waits until they are taken.
  fileprivate struct Piece: Sendable {
    var data: Data
    /// Resumed with `true` when the reader has taken all bytes, and with `false` if it never will.
    let writer: UnsafeContinuation<Bool, Never>
  }

  fileprivate struct State: Sendable {
    var pieces: [Piece] = []
    /// How the bytes end; `nil` while more may come.
    var end: Result<Void, any Error>?
  }

  /// Guards the pieces and the end. Writers are resumed after unlocking.
  private let state = Locked(State())
  /// Signalled after each change that the reader may wait for.
  private let changes = DispatchSemaphore(value: 0)

  /// - Returns: `false` if the pipe is closed.
  func write(_ data: Data) async -> Bool {
    guard !data.isEmpty else { return true }
    return await withUnsafeContinuation { writer in
      // One continuation is resumed once: by the reader that removes its piece, by `close`, or here.
      let isOpen = state.withLock { state in
        if state.end == nil { state.pieces.append(Piece(data: data, writer: writer)) }
        return state.end == nil
      }
      if isOpen { changes.signal() } else { writer.resume(returning: false) }
    }
  }

  func end(_ result: Result<Void, any Error>) {
    state.withLock { $0.end = $0.end ?? result }
    changes.signal()
  }

  /// Ends both sides. A read that waits fails, and so does every write.
  func close() {
    let pieces = state.withLock { state in
      defer { state = State(end: .failure(CancellationError())) }
      return state.pieces
    }
    for piece in pieces { piece.writer.resume(returning: false) }
    changes.signal()
  }

  /// Waits for bytes; empty at the end. Blocks the transport's reading thread.
  func read(upTo count: Int) throws -> Data {
    guard count > 0 else { return Data() }
    while true {
      let (data, writer, end) = state.withLock { $0.takePiece(upTo: count) }
      writer?.resume(returning: true)
      if let data { return data }
      if let end {
        try end.get()
        return Data()
      }
      // A signal may be left over from a change that was seen before, so the loop looks again.
      changes.wait()
    }
  }
}

extension BodyPipe.State {
  /// Removes the next bytes. Returns them with the writer that continues after them, or the end.
  fileprivate mutating func takePiece(
    upTo count: Int
  ) -> (data: Data?, writer: UnsafeContinuation<Bool, Never>?, end: Result<Void, any Error>?) {
    guard let piece = pieces.first else { return (nil, nil, end) }
    guard piece.data.count > count else {
      pieces.removeFirst()
      return (piece.data, piece.writer, nil)
    }
    pieces[0].data = piece.data.dropFirst(count)
    return (piece.data.prefix(count), nil, nil)
  }
}
