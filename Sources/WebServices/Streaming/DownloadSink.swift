import Foundation

/// Writes the response of a request to a download's file. When the request is sent again, the new transfer continues
/// after the bytes of the earlier one, or overwrites them.
///
/// The transport's threads call the methods of `ResponseSink`; `queue` writes to the file.
final class DownloadSink: ResponseSink {
  private struct State {
    var progress = DownloadProgress()
    /// The transfer that was sent last; `.max` once nothing may be written any more. A late call of an earlier transfer
    /// changes nothing.
    var transfer = 0
    /// The head of the body that is being written.
    var head: WebServiceResponse?
    /// Ends the transfer.
    var fail: (@Sendable (TransportError) -> Void)?
    var failure: TransportError?
  }

  let isStream = false
  private let file: DownloadFile
  /// Serial. The file is written and closed here, and each transfer ends here, behind all of its pieces.
  private let queue = DispatchQueue(label: "WebServices.Download", qos: .utility)
  /// Guards the progress and the transfer. The file is written after unlocking.
  private let state = Locked(State())

  /// - Parameter file: the file, which the request opens.
  init(to file: DownloadFile) { self.file = file }

  func prepare(_ request: TransportRequest) throws {
    if let earlier = try file.open(for: request) { state.withLock { $0.progress = earlier } }
  }

  func willSend(_ request: inout TransportRequest, transfer: Int) {
    let (size, isForPart) = (file.size, request.headers["Range"] != nil)
    request.headers.merge(
      state.withLock { state in
        // A thread that was held up may send an earlier transfer late, when the request waits for a newer one.
        guard transfer > state.transfer else { return HTTPHeaders() }
        state = State(progress: state.progress, transfer: transfer)
        return state.progress.beginRequest(size: size, isForPart: isForPart)
      })
    guard let report = request.onProgress else { return }
    request.onProgress = { [state] part in
      if let whole = state.withLock({ $0.transfer == transfer ? $0.progress.whole(part) : nil }) { report(whole) }
    }
  }

  func begin(_ head: WebServiceResponse, transfer: Int, fail: @escaping @Sendable (TransportError) -> Void) {
    // Noted on this thread, so that the transport's next report of progress counts the whole file.
    state.withLock { if $0.transfer == transfer { $0.progress.note(head) } }
    queue.enqueue { [self] in
      write(for: transfer) { state in
        (state.head, state.fail) = (head, fail)
        return state.progress.beginBody()
      } to: { offset in
        try file.begin(after: offset, of: DownloadProgress.Version(of: head))
      }
    }
  }

  func receive(_ piece: Data, transfer: Int, proceed: @escaping @Sendable () -> Void) {
    queue.enqueue { [self] in
      write(for: transfer, { $0.progress.add(piece.count) }, to: { _ in try file.write(piece) })
      // The transport waits for the disk, so that no pieces pile up in memory.
      proceed()
    }
  }

  func end(_ result: TransferResult, transfer: Int, then done: @escaping @Sendable (TransferResult) -> Void) {
    queue.enqueue { [self] in
      // Runs behind all pieces of the transfer, since the queue is serial.
      done(
        state.withLock { state in
          guard state.transfer == transfer else { return result }
          if let failure = state.failure { return .failure(failure) }
          guard case .success(let last) = result, last.isSuccessful, !state.progress.isComplete else { return result }
          return .failure(.sent(.truncated, "the file is cut", response: last))
        })
    }
  }

  func resume(after result: TransferResult, method: HTTPMethod) -> Int? {
    state.withLock { $0.progress.resume(after: result, method: method) }
  }

  /// The response for the whole file, which ends with this response.
  func whole(endingWith last: WebServiceResponse) -> WebServiceResponse {
    state.withLock { $0.progress.whole(endingWith: last) }
  }

  /// Writes nothing from now on, and calls `done` behind all pieces.
  func close(then done: @escaping @Sendable () -> Void) {
    queue.enqueue { [self] in
      state.withLock { $0.transfer = .max }
      done()
    }
  }

  /// Writes, unless a newer transfer has been sent or an earlier write failed. Runs on `queue`.
  ///
  /// - Parameters:
  ///   - note: notes a head or a piece. Returns its place in the file; `nil` if it doesn't belong there.
  ///   - work: writes to the place.
  private func write(for transfer: Int, _ note: (inout State) -> Int64?, to work: (Int64) throws -> Void) {
    let (place, now) = state.withLock { state in
      let isCurrent = state.transfer == transfer && state.failure == nil
      return (isCurrent ? note(&state) : nil, isCurrent ? state : nil)
    }
    guard let now else { return }
    let failure: TransportError
    do {
      if let place { return try work(place) }
      // A later download would get the same bytes again, so none are kept.
      try file.begin(after: 0, of: nil)
      failure = .sent(.other, "the server sent a part of the file that wasn't requested", response: now.head)
    } catch {
      failure = TransportError(
        .file, message: "the response can't be written to its file", mayHaveReachedServer: true, response: now.head,
        underlying: error)
    }
    state.withLock { $0.failure = failure }
    now.fail?(failure)
  }
}
