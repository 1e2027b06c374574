import Foundation

/// A request body made of pieces that are sent one after the other, such as the parts of a multipart body. A file is
/// open only while it is read.
struct JoinedBodyStream: BufferedBodyStream {
  enum Piece: Sendable {
    case bytes(Data)
    case stream(any TransportBodyStream)

    var length: Int64? {
      switch self {
      case .bytes(let data): Int64(data.count)
      case .stream(let stream): stream.length
      }
    }
  }

  let pieces: [Piece]
  /// The sum of the pieces' lengths; `nil` if one of them is unknown.
  let length: Int64?
  let isReplayable: Bool

  var bytesInMemory: Data? {
    var joined = Data()
    for piece in pieces {
      guard case .bytes(let data) = piece else { return nil }
      joined += data
    }
    return joined
  }

  init(_ pieces: [Piece]) throws(RequestBodyError) {
    self.pieces = pieces
    isReplayable = pieces.allSatisfy { if case .stream(let stream) = $0 { stream.isReplayable } else { true } }
    var sum: Int64? = 0
    for piece in pieces {
      guard let length = piece.length, let before = sum else {
        sum = nil
        continue
      }
      // An app's stream may declare any length.
      let (total, isTooLong) = before.addingReportingOverflow(length)
      guard length >= 0, !isTooLong else { throw RequestBodyError(.wrongLength, "the length of a part is negative") }
      sum = total
    }
    length = sum
  }

  func makeReader() throws -> any TransportBodyReader { JoinedBodyReader(pieces) }
}

/// Reads the pieces one after the other. The calls come one at a time; the lock passes the position from one to the
/// next.
final class JoinedBodyReader: InterruptibleBodyReader {
  private struct Position {
    var index = 0
    /// How many bytes of a piece in memory were read.
    var offset = 0
    var reader: CountedReader?

    mutating func moveToNextPiece() {
      reader?.close()
      self = Position(index: index + 1)
    }
  }

  private let pieces: [JoinedBodyStream.Piece]
  /// Guards the reader of the current piece, which `interrupt()` and `close()` use on other threads.
  private let position = Locked(Position())

  init(_ pieces: [JoinedBodyStream.Piece]) {
    self.pieces = pieces
  }

  func read(upTo count: Int) throws -> Data {
    guard count > 0 else { return Data() }
    // The lock isn't held while a piece is read, because `interrupt()` needs it meanwhile.
    var position = position.withLock { $0 }
    defer { self.position.withLock { [position] in $0 = position } }
    while position.index < pieces.count {
      let data = try read(upTo: count, at: &position)
      if !data.isEmpty { return data }
      position.moveToNextPiece()
    }
    return Data()
  }

  func interrupt() { position.withLock { $0.reader }?.interrupt() }

  func close() {
    let former = position.withLock { position in
      defer { position = Position(index: pieces.count) }
      return position
    }
    former.reader?.close()
  }

  private func read(upTo count: Int, at position: inout Position) throws -> Data {
    switch pieces[position.index] {
    case .bytes(let data):
      let part = data.dropFirst(position.offset).prefix(count)
      position.offset += part.count
      return part
    case .stream(let stream):
      let reader = try position.reader ?? CountedReader(stream)
      position.reader = reader
      // Stored before the read, so that another thread can interrupt it.
      self.position.withLock { $0.reader = reader }
      return try reader.read(upTo: count)
    }
  }
}
