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
  private struct Rest {
    /// The pieces that are left, in reverse order.
    var pieces: [TransportBody]
    /// The reader of the next piece.
    var reader: CountedReader?
  }

  /// Guards the reader of the current piece, which `interrupt()` and `close()` use on other threads.
  private let rest: Locked<Rest>

  init(_ pieces: [TransportBody]) {
    rest = Locked(Rest(pieces: pieces.reversed()))
  }

  func read(upTo count: Int) throws -> Data {
    while count > 0, let piece = rest.withLock({ $0.pieces.last }) {
      if case .data(let data) = piece {
        move(to: data.count > count ? [.data(data.dropFirst(count))] : [])
        if !data.isEmpty { return data.prefix(count) }
      } else {
        // Stored before the read, so that another thread can interrupt it. The lock isn't held while a piece is read.
        let reader = try rest.withLock { $0.reader } ?? piece.makeReader()
        rest.withLock { $0.reader = reader }
        if let data = try reader?.read(upTo: count), !data.isEmpty { return data }
        reader?.close()
        move(to: [])
      }
    }
    return Data()
  }

  /// Replaces the current piece.
  private func move(to pieces: [TransportBody]) {
    rest.withLock { rest in
      rest.reader = nil
      _ = rest.pieces.popLast()
      rest.pieces += pieces
    }
  }

  func interrupt() { rest.withLock { $0.reader }?.interrupt() }

  func close() {
    let reader = rest.withLock { rest in
      defer { rest = Rest(pieces: []) }
      return rest.reader
    }
    reader?.close()
  }
}
