import Dispatch
import Foundation

/// Writes the response of a request to a download's file. When the request is sent again, the new transfer continues
/// after the bytes of the earlier one, or overwrites them.
///
/// The transport's threads call the methods of `ResponseSink`; `queue` writes to the file.
final class DownloadSink: ResponseSink {
  /// The transfer whose body is being written.
  private struct Writer {
    var transfer = 0
    var head: WebServiceResponse?
    /// Ends the transfer; `nil` after a failure.
    var fail: (@Sendable (TransportError) -> Void)?
    var written: Int64 = 0
    var failure: TransportError?
  }

  let isStream = false
  /// Guards the progress, which the transport's threads change and the progress handler reads.
  let progress = Locked(DownloadProgress())
  private let file: DownloadFile
  /// Serial. The file is written and closed here, and each transfer ends here, behind all of its pieces.
  private let queue = DispatchQueue(label: "WebServices.Download", qos: .utility)
  /// Guards the current transfer. The file is written after unlocking.
  private let writer = Locked(Writer())

  /// - Parameter file: the file, which the request opens.
  init(to file: DownloadFile) {
    self.file = file
  }

  func prepare(_ request: TransportRequest) throws {
    if let earlier = try file.open(for: request) { progress.withLock { $0 = earlier } }
  }

  func willSend(_ request: inout TransportRequest) {
    let size = file.size
    request.headers.merge(progress.withLock { $0.beginRequest(size: size) })
    guard let report = request.onProgress else { return }
    request.onProgress = { [progress] part in report(progress.withLock { $0.whole(part) }) }
  }

  func begin(_ head: WebServiceResponse, transfer: Int, fail: @escaping @Sendable (TransportError) -> Void) {
    let offset = progress.withLock { $0.begin(head) }
    queue.enqueue { [self] in
      writer.withLock { writer in
        // A late call of an earlier transfer changes nothing.
        if transfer > writer.transfer { writer = Writer(transfer: transfer, head: head, fail: fail) }
      }
      write(for: transfer) {
        if let offset { return try file.begin(after: offset, of: DownloadProgress.Version(of: head)) }
        // A later download would get the same part again, so the bytes aren't kept.
        try file.begin(after: 0, of: nil)
        throw TransportError(
          .other, message: "the server sent a part of the file that wasn't requested", mayHaveReachedServer: true,
          response: head)
      }
    }
  }

  func receive(_ piece: Data, transfer: Int, proceed: @escaping @Sendable () -> Void) {
    queue.enqueue { [self] in
      write(for: transfer) {
        try file.write(piece)
        writer.withLock { $0.written += Int64(piece.count) }
      }
      // The transport waits for the disk, so that no pieces pile up in memory.
      proceed()
    }
  }

  func end(transfer: Int, then done: @escaping @Sendable (TransportError?) -> Void) {
    queue.enqueue { [self] in
      // Runs behind all pieces of the transfer, since the queue is serial.
      done(writer.withLock { $0.transfer == transfer ? $0.failure : nil })
    }
  }

  /// Does nothing: the download removes or keeps the bytes when it finishes.
  func drop() {}

  func resume(after result: Result<WebServiceResponse, TransportError>, method: HTTPMethod) -> Int? {
    let bytes = writer.withLock { $0.written }
    return progress.withLock { $0.resume(after: result, bytes: bytes, method: method) }
  }

  /// Writes nothing from now on, and calls `done` behind all pieces.
  func close(then done: @escaping @Sendable () -> Void) {
    queue.enqueue { [self] in
      writer.withLock { $0.transfer = .max }
      done()
    }
  }

  /// Calls `work`, unless a newer transfer has begun or an earlier write failed. Runs on `queue`.
  private func write(for transfer: Int, _ work: () throws -> Void) {
    let writer = writer.withLock { $0 }
    guard writer.transfer == transfer, let fail = writer.fail else { return }
    do {
      try work()
    } catch {
      let failure =
        error as? TransportError
        ?? TransportError(
          .file, message: "the response can't be written to its file", mayHaveReachedServer: true,
          response: writer.head, underlying: error)
      self.writer.withLock { ($0.failure, $0.fail) = (failure, nil) }
      fail(failure)
    }
  }
}
