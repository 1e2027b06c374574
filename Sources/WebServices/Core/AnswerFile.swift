import Dispatch
import Foundation

/// The file that a good answer goes into, and nothing of any other: each exchange writes it anew.
final class AnswerFile: Sendable {
  let url: URL
  /// Told the head of each good answer, on a thread of the transport's, before its first byte.
  fileprivate let onHead: @Sendable (WebServiceResponse) -> Void
  fileprivate let queue = DispatchQueue(label: "WebServices.AnswerFile", qos: .utility)
  /// Whose answer may go into the file: one that is no longer waited for must not get in its way.
  fileprivate let exchange = Locked(0)

  init(_ url: URL, onHead: @escaping @Sendable (WebServiceResponse) -> Void = { _ in }) {
    self.url = url
    self.onHead = onHead
  }

  /// How many bytes are in it; `nil` where it isn't there.
  var size: Int64? { Self.size(of: url) }

  static func size(of url: URL) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// Makes the file, empty: what can't be written isn't asked for.
  func create() throws {
    guard url.isFileURL else { throw BodyFailure(description: "the URL isn't that of a file") }
    try? FileManager.default.removeItem(at: url)
    try Data().write(to: url, options: .withoutOverwriting)
  }

  /// - Parameter onFailure: told once, where the answer can't be written.
  func makeWriter(
    exchange: Int, onFailure: @escaping @Sendable (TransportError) -> Void
  ) -> AnswerFileWriter {
    self.exchange.withLock { $0 = exchange }
    return AnswerFileWriter(self, exchange: exchange, onFailure: onFailure)
  }
}

/// Writes one exchange's answer, on the file's queue.
final class AnswerFileWriter: AnswerReader {
  private struct State: Sendable {
    var handle: FileHandle?
    var failure: TransportError?
  }

  private let file: AnswerFile
  private let exchange: Int
  private let onFailure: @Sendable (TransportError) -> Void
  private let state = Locked(State())

  fileprivate init(_ file: AnswerFile, exchange: Int, onFailure: @escaping @Sendable (TransportError) -> Void) {
    self.file = file
    self.exchange = exchange
    self.onFailure = onFailure
  }

  func receive(head: WebServiceResponse) {
    file.onHead(head)
    file.queue.async { [self] in
      guard file.exchange.withLock({ $0 == exchange }) else { return }
      attempt(head) { _ in
        try file.create()
        let handle = try FileHandle(forWritingTo: file.url)
        state.withLock { $0.handle = handle }
      }
    }
  }

  func receive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    file.queue.async { [self] in
      attempt { try $0?.write(contentsOf: piece) }
      proceed()
    }
  }

  func close(then done: @escaping @Sendable (TransportError?) -> Void) {
    file.queue.async { [self] in
      attempt { try $0?.close() }
      state.withLock { $0.handle = nil }
      done(state.withLock { $0.failure })
    }
  }

  /// Works on the file, unless that has failed before.
  private func attempt(_ head: WebServiceResponse? = nil, _ work: (FileHandle?) throws -> Void) {
    let (handle, former) = state.withLock { ($0.handle, $0.failure) }
    guard former == nil else { return }
    do {
      try work(handle)
    } catch {
      let failure = TransportError(
        .file, message: "the answer can't be written to its file", mayHaveReachedServer: true, response: head,
        underlying: error)
      state.withLock { $0.failure = failure }
      onFailure(failure)
    }
  }
}
