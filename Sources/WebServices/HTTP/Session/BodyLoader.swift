import Foundation

/// Reads a body into memory, for a session that takes a body in no other way. Reading may block, so it has a queue of
/// its own. Call `load` once. `endWait` ends a read that waits.
package final class BodyLoader: Sendable {
  private let cancellation = TaskCancellation()

  package init() {}

  /// - Parameter completion: called once on the loader's queue, with the request whose body is in memory, or with an
  ///   error, as after `endWait`.
  package func load(
    _ request: TransportRequest, completion: @escaping @Sendable (Result<TransportRequest, TransportError>) -> Void
  ) {
    DispatchQueue(label: "WebServices.BodyLoader").enqueue { [self] in
      var loaded = request
      completion(
        Result {
          loaded.body = .data(try bytes(of: request.body))
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

  private func bytes(of body: TransportBody) throws -> Data {
    guard let reader = try body.makeReader() else { return body.data ?? Data() }
    // The interruption may run an app's code, and a thread of the transport may call `endWait`.
    cancellation.set { DispatchQueue.global().enqueue { reader.interrupt() } }
    defer {
      cancellation.set {}
      reader.close()
    }
    var content = Data()
    while !cancellation.isCancelled {
      let piece = try reader.read(upTo: 128 * 1024)
      guard !piece.isEmpty else { return content }
      content.append(piece)
    }
    throw CancellationError()
  }
}
