import Foundation

/// A request body made of pieces that are sent one after the other, such as the parts of a multipart body. A file is
/// open only while it is read.
struct JoinedBodyStream: TransportBody.Stream {
  let pieces: [TransportBody]
  /// The sum of the pieces' lengths; `nil` if one of them is unknown.
  let length: Int64?
  var isReplayable: Bool { pieces.allSatisfy(\.isReplayable) }

  init(_ pieces: [TransportBody]) throws(RequestBodyError) {
    self.pieces = pieces
    var sum: Int64? = 0
    for piece in pieces {
      guard let length = piece.length else {
        sum = nil
        continue
      }
      // An app's stream may declare any length.
      let total = sum.map { $0.addingReportingOverflow(length) }
      guard length >= 0, total?.overflow != true else {
        throw RequestBodyError(.wrongLength, "the length of a part is negative")
      }
      sum = total?.partialValue
    }
    length = sum
  }

  func makeReader() throws -> any TransportBody.Reader { JoinedBodyReader(pieces) }
}

extension TransportBody {
  fileprivate var length: Int64? {
    switch self {
    case .data(let data): Int64(data.count)
    case .stream(let stream): stream.length
    case .none, .file: nil
    }
  }
}

/// Reads the pieces one after the other. The calls of `read` come one at a time.
private final class JoinedBodyReader: InterruptibleBodyReader {
  /// The pieces that are left, in reverse order. `interrupt()` and `close()` empty the list on other threads.
  private let pieces: Locked<[TransportBody]>
  /// The reader of the current piece, which `interrupt()` and `close()` use on other threads. No piece is read with a lock
  /// held.
  private let reader = Locked<CountedReader?>(nil)

  init(_ pieces: [TransportBody]) {
    self.pieces = Locked(pieces.reversed())
  }

  func read(upTo count: Int) throws -> Data {
    while count > 0, let piece = pieces.withLock({ $0.last }) {
      if case .data(let data) = piece {
        move(to: data.count > count ? [.data(data.dropFirst(count))] : [])
        if !data.isEmpty { return data.prefix(count) }
      } else {
        let current = try reader.withLock { $0 } ?? piece.makeReader()
        // Stored before the check: an interruption that comes while the piece is opened either empties the list before
        // the check, or finds the reader.
        reader.withLock { $0 = current }
        if pieces.withLock({ $0.isEmpty }) { current?.interrupt() }
        if let data = try current?.read(upTo: count), !data.isEmpty { return data }
        current?.close()
        move(to: [])
      }
    }
    return Data()
  }

  /// Replaces the current piece.
  private func move(to next: [TransportBody]) {
    reader.withLock { $0 = nil }
    pieces.withLock { $0 = $0.dropLast() + next }
  }

  func interrupt() {
    pieces.withLock { $0 = [] }
    reader.withLock { $0 }?.interrupt()
  }

  func close() {
    pieces.withLock { $0 = [] }
    reader.withLock { $0.take() }?.close()
  }
}
