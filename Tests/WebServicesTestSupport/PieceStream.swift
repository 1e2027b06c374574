/// A body that a test makes, in given pieces or in generated ones. It records how it is read.
final class PieceStream: TransportBody.Stream {
  let length: Int64?
  let isReplayable: Bool
  let opened = Collector<Void>()
  let closed = Collector<Void>()
  private let largest = Locked(0)
  /// Makes a piece of at most this many bytes, and moves the position on, which begins at 0.
  private let next: @Sendable (_ position: inout Int, _ limit: Int) throws -> Data

  private init(
    _ length: Int64?, _ isReplayable: Bool, next: @escaping @Sendable (inout Int, Int) throws -> Data
  ) {
    (self.length, self.isReplayable, self.next) = (length, isReplayable, next)
  }

  /// Gives one of the pieces per read.
  convenience init(
    _ pieces: [String], length: Int64? = nil, isReplayable: Bool = true,
    beforeEach: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) {
    self.init(length, isReplayable) { index, _ in
      defer { index += 1 }
      try beforeEach(index)
      return index < pieces.count ? Data(pieces[index].utf8) : Data()
    }
  }

  /// Generates this many bytes.
  convenience init(count: Int, length: Int64?, isReplayable: Bool = true) {
    self.init(length, isReplayable) { offset, limit in
      let piece = pattern(min(limit, count - offset), from: offset)
      offset += piece.count
      return piece
    }
  }

  /// The largest number of bytes that a read has asked for.
  var largestPiece: Int { largest.withLock { $0 } }

  func makeReader() throws -> any TransportBody.Reader {
    opened.add()
    return Reader(stream: self)
  }

  private final class Reader: TransportBody.Reader {
    private let stream: PieceStream
    private let position = Locked(0)

    init(stream: PieceStream) { self.stream = stream }

    func read(upTo count: Int) throws -> Data {
      stream.largest.withLock { $0 = max($0, count) }
      var position = position.withLock { $0 }
      defer { self.position.withLock { $0 = position } }
      return try stream.next(&position, count)
    }

    func close() { stream.closed.add() }
  }
}

extension TransportBody.Stream {
  /// All bytes, read in pieces of at most this size.
  func content(inPiecesOf size: Int = 1000) throws -> Data {
    let reader = try makeReader()
    defer { reader.close() }
    var content = Data()
    while true {
      let piece = try reader.read(upTo: size)
      #expect(piece.count <= size)
      if piece.isEmpty { return content }
      content += piece
      try #require(content.count < 1 << 28, "the body doesn't end")
    }
  }
}

/// Bytes that differ by position.
func pattern(_ count: Int, from offset: Int = 0) -> Data {
  Data((offset..<offset + count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
}
