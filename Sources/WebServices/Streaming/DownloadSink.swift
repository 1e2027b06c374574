import Dispatch
import Foundation

/// Writes the body of one request's response to a download's file. When the request is sent again, the new transfer
/// overwrites the bytes of the earlier one.
///
/// The transport's threads call the methods of `ResponseSink`; `queue` writes to the file.
final class DownloadSink: ResponseSink {
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
    var writer: Writer?
    var isClosed = false
  }

  let isStream = false
  private let file: DownloadFile
  private let progress: Locked<DownloadProgress>
  private let queue: DispatchQueue
  /// Guards the current transfer. The file is written after unlocking.
  private let state = Locked(State())

  /// - Parameters:
  ///   - file: the file, which the first request opens.
  ///   - progress: the progress of the download.
  ///   - queue: the serial queue on which the file is written.
  init(to file: DownloadFile, progress: Locked<DownloadProgress>, queue: DispatchQueue) {
    self.file = file
    self.progress = progress
    self.queue = queue
  }

  /// The number of bytes that the last transfer has written.
  var written: Int64 { state.withLock { $0.writer?.written ?? 0 } }

  func prepare(_ request: inout TransportRequest) throws {
    let earlier = try file.open(for: request)
    let size = file.size
    let headers = progress.withLock { progress in
      if let earlier { progress = earlier }
      return progress.beginRequest(size: size)
    }
    request.headers.merge(headers)
  }

  func begin(_ head: WebServiceResponse, transfer: Int, fail: @escaping @Sendable (TransportError) -> Void) {
    let offset = progress.withLock { $0.begin(head) }
    let writer = Writer(transfer: transfer, head: head, isWanted: offset != nil, fail: fail)
    queue.async { [self] in
      var obsolete: Writer? = writer
      state.withLock { state in
        // A late call of an earlier transfer changes nothing.
        if transfer > state.writer?.transfer ?? 0 { swap(&state.writer, &obsolete) }
      }
      guard let offset else { return }
      write(for: transfer) { try file.begin(after: offset, of: DownloadProgress.Version(of: head)) }
    }
  }

  func receive(_ piece: Data, transfer: Int, proceed: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      write(for: transfer) {
        try file.write(piece)
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

  /// Writes nothing from now on: the file belongs to the next request of the download.
  func close() { state.withLock { $0.isClosed = true } }

  /// Calls `work`, unless a newer transfer has begun or an earlier write failed. Runs on `queue`.
  private func write(for transfer: Int, _ work: () throws -> Void) {
    let writer = state.withLock { $0.isClosed ? nil : $0.writer }
    guard let writer, writer.transfer == transfer, writer.isWanted, writer.failure == nil else { return }
    do {
      try work()
    } catch {
      let failure = TransportError(
        .file, message: "the response can't be written to its file", mayHaveReachedServer: true,
        response: writer.head, underlying: error)
      state.withLock { $0.writer?.failure = failure }
      writer.fail(failure)
    }
  }
}
