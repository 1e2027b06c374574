/// A body in given pieces, one per read. It counts how often it is opened and closed.
final class PieceStream: TransportBody.Stream {
  let length: Int64?
  let isReplayable: Bool
  let opened = Collector<Void>()
  let closed = Collector<Void>()
  private let pieces: [Data]
  private let beforeEach: @Sendable (Int) throws -> Void

  init(
    _ pieces: [String], length: Int64? = nil, isReplayable: Bool = true,
    beforeEach: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) {
    self.pieces = pieces.map { Data($0.utf8) }
    self.length = length
    self.isReplayable = isReplayable
    self.beforeEach = beforeEach
  }

  func makeReader() throws -> any TransportBody.Reader {
    opened.add()
    return Reader(stream: self)
  }

  private final class Reader: TransportBody.Reader {
    private let stream: PieceStream
    private let index = Locked(0)

    init(stream: PieceStream) {
      self.stream = stream
    }

    func read(upTo count: Int) throws -> Data {
      let index = index.withLock { index in
        defer { index += 1 }
        return index
      }
      try stream.beforeEach(index)
      return index < stream.pieces.count ? stream.pieces[index] : Data()
    }

    func close() {
      stream.closed.add()
    }
  }
}
