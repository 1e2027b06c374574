import Dispatch
import Foundation

/// The file that a good answer goes into, and nothing of any other: each exchange writes it anew.
final class AnswerFile: Sendable {
  let url: URL
  fileprivate let queue = DispatchQueue(label: "WebServices.AnswerFile", qos: .utility)
  /// Whose answer may go into the file: one that is no longer waited for must not get in its way.
  fileprivate let exchange = Locked(0)

  init(_ url: URL) {
    self.url = url
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

/// Writes one exchange's answer.
///
/// `handle` and `failure` are used on the file's queue alone.
final class AnswerFileWriter: AnswerReader, @unchecked Sendable {
  private let file: AnswerFile
  private let exchange: Int
  private let onFailure: @Sendable (TransportError) -> Void
  private var handle: FileHandle?
  private var failure: TransportError?

  fileprivate init(_ file: AnswerFile, exchange: Int, onFailure: @escaping @Sendable (TransportError) -> Void) {
    self.file = file
    self.exchange = exchange
    self.onFailure = onFailure
  }

  func receive(head: WebServiceResponse) {
    file.queue.async { [self] in
      guard file.exchange.withLock({ $0 == exchange }) else { return }
      attempt(head) {
        try file.create()
        handle = try FileHandle(forWritingTo: file.url)
      }
    }
  }

  func receive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    file.queue.async { [self] in
      if failure == nil { attempt { try handle?.write(contentsOf: piece) } }
      proceed()
    }
  }

  func close(then done: @escaping @Sendable (TransportError?) -> Void) {
    file.queue.async { [self] in
      if failure == nil { attempt { try handle?.close() } }
      handle = nil
      done(failure)
    }
  }

  private func attempt(_ head: WebServiceResponse? = nil, _ work: () throws -> Void) {
    do {
      try work()
    } catch {
      let failure = TransportError(
        .file, message: "the answer can't be written to its file", mayHaveReachedServer: true, response: head,
        underlying: error)
      self.failure = failure
      onFailure(failure)
    }
  }
}
