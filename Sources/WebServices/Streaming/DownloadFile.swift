import Dispatch
import Foundation

/// Writes the body of one request's response to a download's file. When a request is sent again, the new transfer
/// overwrites the bytes of the earlier one.
///
/// The transport's threads call the methods of `ResponseSink`. The caller of `prepare()` opens the file; `queue` writes
/// to it.
final class DownloadFile: ResponseSink {
  /// The transfer whose body is being written.
  private struct Writer {
    let transfer: Int
    let head: WebServiceResponse
    /// `false` if the body doesn't belong in the file. The bytes of such a body are dropped.
    let isWanted: Bool
    let fail: @Sendable (TransportError) -> Void
    var written: Int64 = 0
    var failure: TransportError?
  }

  private struct State {
    /// Open from `prepare()` to `close()`.
    var handle: FileHandle?
    var wasOpened = false
    var writer: Writer?
  }

  let isStream = false
  private let url: URL
  private let kept: KeptDownload?
  private let isNew: Bool
  private let refusal: RequestFailure?
  private let queue: DispatchQueue
  private let position: @Sendable (WebServiceResponse) -> Int64?
  /// Guards the handle and the current transfer. The file is written after unlocking.
  private let state = Locked(State())

  /// - Parameters:
  ///   - kept: the files of a download that is continued later.
  ///   - isNew: whether `prepare()` creates the file.
  ///   - refusal: the reason why the request isn't sent.
  ///   - queue: the serial queue on which the file is written and closed.
  ///   - position: called with each head, on a thread of the transport. Returns the offset of the body in the file, or
  ///     `nil` for a body that must not be written.
  init(
    _ url: URL, kept: KeptDownload? = nil, isNew: Bool, refusal: RequestFailure? = nil, queue: DispatchQueue,
    position: @escaping @Sendable (WebServiceResponse) -> Int64?
  ) {
    self.url = url
    self.kept = kept
    self.isNew = isNew
    self.refusal = refusal
    self.queue = queue
    self.position = position
  }

  /// The number of bytes that the last transfer has written.
  var written: Int64 { state.withLock { $0.writer?.written ?? 0 } }

  /// Whether `prepare()` has opened the file. Opening fails if another download uses the file.
  var wasOpened: Bool { state.withLock { $0.wasOpened } }

  func prepare() throws {
    guard url.isFileURL else { throw BodyFailure(description: "the URL isn't that of a file") }
    if let refusal { throw refusal }
    let descriptor =
      // `O_EXCL`: the name is new, so a file or a link in its place isn't the download's.
      try kept?.open() ?? open(url.path, O_WRONLY | O_CLOEXEC | (isNew ? O_CREAT | O_EXCL : 0), 0o666)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    state.withLock { state in
      state.handle = handle
      state.wasOpened = true
    }
  }

  func begin(_ head: WebServiceResponse, transfer: Int, fail: @escaping @Sendable (TransportError) -> Void) {
    let position = position(head)
    let writer = Writer(transfer: transfer, head: head, isWanted: position != nil, fail: fail)
    queue.async { [self] in
      var obsolete: Writer? = writer
      state.withLock { state in
        // A late call of an earlier transfer changes nothing.
        if transfer > state.writer?.transfer ?? 0 { swap(&state.writer, &obsolete) }
      }
      guard let offset = position.map(UInt64.init) else { return }
      write(for: transfer) { handle in
        if offset == 0 { try kept?.removeRecord() }
        // An earlier transfer may have written bytes beyond the start of this body.
        try handle.truncate(atOffset: offset)
        try handle.seek(toOffset: offset)
        if offset == 0, let version = DownloadProgress.Version(of: head) { try kept?.record(version) }
      }
    }
  }

  func receive(_ piece: Data, transfer: Int, proceed: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      write(for: transfer) { handle in
        try handle.write(contentsOf: piece)
        state.withLock { $0.writer?.written += Int64(piece.count) }
      }
      // The transport waits for the disk, so that no pieces pile up in memory.
      proceed()
    }
  }

  func end(transfer: Int, then done: @escaping @Sendable (TransportError?) -> Void) {
    queue.async { [self] in
      // Runs behind all pieces of the transfer, since the queue is serial.
      done(state.withLock { $0.writer?.transfer == transfer ? $0.writer?.failure : nil })
    }
  }

  /// Does nothing: the download removes or keeps the bytes when it finishes.
  func drop() {}

  func canResume(after error: TransportError, method: HTTPMethod) -> Bool {
    DownloadProgress.canResume(after: error, bytes: written, method: method)
  }

  /// Closes the file. Runs on `queue`, after all writes that were queued before.
  func close() throws {
    let handle = state.withLock { state in
      defer { state.handle = nil }
      return state.handle
    }
    try handle?.close()
  }

  /// Calls `work` with the file, unless a newer transfer has begun or an earlier write failed. Runs on `queue`.
  private func write(for transfer: Int, _ work: (FileHandle) throws -> Void) {
    let (handle, writer) = state.withLock { ($0.handle, $0.writer) }
    guard let handle, let writer, writer.transfer == transfer, writer.isWanted, writer.failure == nil else { return }
    do {
      try work(handle)
    } catch {
      let failure = TransportError(
        .file, message: "the response can't be written to its file", mayHaveReachedServer: true,
        response: writer.head, underlying: error)
      state.withLock { $0.writer?.failure = failure }
      writer.fail(failure)
    }
  }
}
