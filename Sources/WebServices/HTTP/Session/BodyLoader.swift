import Foundation

/// Loads a body that isn't in memory, for a session that takes bytes or the path of a file. Loading may block, so it
/// has a queue of its own. Call `load` once. `endWait` ends a read that waits.
package final class BodyLoader: Sendable {
  /// The number of bytes from which on a stream doesn't stay in memory.
  package static let memoryLimit = 1024 * 1024

  private let cancellation = TaskCancellation()
  /// Whether the session sends a file from its place. A long stream is written to a temporary file then.
  private let sendsFiles: Bool

  package init(sendsFiles: Bool = false) { self.sendsFiles = sendsFiles }

  /// - Parameter completion: called once on the loader's queue, with the request whose body is in memory or a
  ///   `LoadedFile`, or with an error, as after `endWait`.
  package func load(
    _ request: TransportRequest, completion: @escaping @Sendable (Result<TransportRequest, TransportError>) -> Void
  ) {
    DispatchQueue(label: "WebServices.BodyLoader").enqueue { [self] in
      var loaded = request
      completion(
        Result {
          loaded.body = try content(of: request.body)
          return loaded
        }.mapError { self.cancellation.isCancelled ? .cancelledUnsent : .unreadableBody($0) })
    }
  }

  /// Ends the reading, unless it has ended.
  @discardableResult
  package func endWait() -> UnsentReason? {
    cancellation.cancel()
    return .connecting
  }

  private func content(of body: TransportBody) throws -> TransportBody {
    if sendsFiles, case .file(let url) = body {
      let file = try LoadedFile(url)
      // Opening the file shows whether it can be read.
      try file.makeReader().close()
      return .stream(file)
    }
    guard let reader = try body.makeReader() else { return body }
    // The interruption may run an app's code, and a thread of the transport may call `endWait`.
    cancellation.set { DispatchQueue.global().enqueue { reader.interrupt() } }
    defer {
      cancellation.set {}
      reader.close()
    }
    let limit = sendsFiles ? Self.memoryLimit : .max
    var bytes = try read(reader, upTo: limit)
    guard bytes.count >= limit else { return .data(bytes) }
    let file = try TemporaryFile()
    try file.handle.write(contentsOf: bytes)
    while bytes.count >= limit {
      bytes = try read(reader, upTo: limit)
      try file.handle.write(contentsOf: bytes)
    }
    try file.handle.close()
    return .stream(try LoadedFile(file.url, temporary: file))
  }

  /// The next bytes: at least as many as the limit, or fewer at the end.
  private func read(_ reader: CountedReader, upTo limit: Int) throws -> Data {
    var bytes = Data()
    while bytes.count < limit {
      guard !cancellation.isCancelled else { throw CancellationError() }
      let piece = try reader.read(upTo: 128 * 1024)
      guard !piece.isEmpty else { break }
      bytes.append(piece)
    }
    return bytes
  }
}
