import Foundation

/// A request body made of pieces that are sent one after the other, such as the parts of a multipart body. A file is
/// open only while it is read.
struct JoinedBodyStream: PartlyInMemory {
  let pieces: [TransportBody]
  /// The sum of the pieces' lengths; `nil` if one of them is unknown.
  let length: Int64?
  var isReplayable: Bool { pieces.allSatisfy(\.isReplayable) }

  init(_ pieces: [TransportBody]) throws(RequestBodyError) {
    self.pieces = pieces
    let lengths = pieces.compactMap(\.length)
    // An app's stream may declare any length, and the sum must not overflow.
    guard lengths.allSatisfy({ $0 >= 0 && $0 <= .max / Int64(pieces.count) })
    else { throw RequestBodyError(.wrongLength, "the length of a part is negative or too large") }
    length = lengths.count == pieces.count ? lengths.reduce(0, +) : nil
  }

  func makeReader() throws -> any TransportBody.Reader { JoinedBodyReader(pieces) }

  func bytesInMemory(upTo limit: Int) -> Data {
    pieces.compactMap(\.data).reduce(into: Data()) { $0 += $1.prefix(limit - $0.count) }
  }
}

extension TransportBody {
  fileprivate var length: Int64? {
    if case .stream(let stream) = self { stream.length } else { data.map { Int64($0.count) } }
  }
}

/// Reads the pieces one after the other. The calls of `read` come one at a time.
private final class JoinedBodyReader: InterruptibleBodyReader {
  /// The pieces that are left, in reverse order, and the reader of the current one. `interrupt()` and `close()` drop
  /// the pieces on other threads. No piece is read with the lock held.
  private let state: Locked<(pieces: [TransportBody], reader: CountedReader?)>

  init(_ pieces: [TransportBody]) { state = Locked((pieces.reversed(), nil)) }

  func read(upTo count: Int) throws -> Data {
    // A copy of the list would be copied again by each change: the work would grow with the square of the pieces.
    while case let (piece?, reader) = state.withLock({ ($0.pieces.last, $0.reader) }) {
      if case .data(let data) = piece {
        move(to: data.count > count ? [.data(data.dropFirst(count))] : [])
        if !data.isEmpty { return data.prefix(count) }
        continue
      }
      let current = try reader ?? piece.makeReader()
      // An interruption that comes while the piece is opened empties the list.
      let isInterrupted = state.withLock { state in
        state.reader = current
        return state.pieces.isEmpty
      }
      if isInterrupted { current?.interrupt() }
      if let data = try current?.read(upTo: count), !data.isEmpty { return data }
      current?.close()
      move(to: [])
    }
    return Data()
  }

  /// Replaces the current piece.
  private func move(to next: [TransportBody]) {
    state.withLock { state in
      state.pieces.replaceSubrange(state.pieces.indices.suffix(1), with: next)
      state.reader = nil
    }
  }

  func interrupt() { end()?.interrupt() }

  func close() { end()?.close() }

  /// Drops the pieces that are left.
  ///
  /// - Returns: the reader of the current piece.
  private func end() -> CountedReader? {
    state.withLock { state in
      state.pieces = []
      return state.reader
    }
  }
}
