import Foundation

/// Pieces one behind the other; those on disk are open only while their turn is.
struct JoinedBodyStream: DisclosingBodyStream {
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
  /// The sum, where each piece's is known.
  let length: Int64?
  let isReplayable: Bool
  let disclosure: BodyDisclosure

  /// All bytes, where none of them is on disk or made while it is sent.
  var bytesInMemory: Data? {
    var joined = Data()
    for piece in pieces {
      guard case .bytes(let data) = piece else { return nil }
      joined += data
    }
    return joined
  }

  /// - Parameter parts: the parts that the pieces are made of.
  init(_ pieces: [Piece], parts: [MultipartBody.Part]) throws(RequestBodyError) {
    self.pieces = pieces
    disclosure = .parts(parts)
    isReplayable = pieces.allSatisfy { if case .stream(let stream) = $0 { stream.isReplayable } else { true } }
    var sum: Int64? = 0
    for piece in pieces {
      guard let length = piece.length, let before = sum else {
        sum = nil
        continue
      }
      let (total, isTooLong) = before.addingReportingOverflow(length)
      guard length >= 0, !isTooLong else { throw RequestBodyError(.wrongLength, "the length of a part isn't one") }
      sum = total
    }
    length = sum
  }

  func makeReader() throws -> any TransportBodyReader { JoinedBodyReader(pieces) }
}

/// `lock` guards all that varies.
final class JoinedBodyReader: TransportBodyReader, @unchecked Sendable {
  private let pieces: [JoinedBodyStream.Piece]
  private let lock = NSLock()
  private var index = 0
  /// How much of the current bytes was given.
  private var offset = 0
  private var current: CountedReader?

  init(_ pieces: [JoinedBodyStream.Piece]) {
    self.pieces = pieces
  }

  func read(upTo count: Int) throws -> Data {
    lock.lock()
    defer { lock.unlock() }
    guard count > 0 else { return Data() }
    while index < pieces.count {
      let data = try next(of: pieces[index], upTo: count)
      if !data.isEmpty { return data }
      goOn()
    }
    return Data()
  }

  func close() {
    lock.lock()
    defer { lock.unlock() }
    goOn()
    index = pieces.count
  }

  private func goOn() {
    current?.close()
    current = nil
    offset = 0
    index += 1
  }

  private func next(of piece: JoinedBodyStream.Piece, upTo count: Int) throws -> Data {
    switch piece {
    case .bytes(let data):
      let part = data.dropFirst(offset).prefix(count)
      offset += part.count
      return part
    case .stream(let stream):
      if current == nil { current = try CountedReader(stream) }
      return try current?.read(upTo: count) ?? Data()
    }
  }
}

/// A reader that is held to the length that its stream said. Before it gives the last bytes, it asks for one more, so
/// that a body with more bytes is never complete at the server.
final class CountedReader: TransportBodyReader {
  let length: Int64?
  private let reader: any TransportBodyReader
  /// How many bytes are still to come, where that is known. One call at a time changes it.
  private let left: Locked<Int64?>

  init(_ stream: any TransportBodyStream) throws {
    length = stream.length
    left = Locked(length)
    reader = try stream.makeReader()
    guard length == 0 else { return }
    do { try expectEnd() } catch {
      reader.close()
      throw error
    }
  }

  func read(upTo count: Int) throws -> Data {
    guard let left = left.withLock({ $0 }) else { return try readChecked(upTo: count) }
    guard left != 0, count > 0 else { return Data() }
    let data = try readChecked(upTo: Int(clamping: min(Int64(count), max(left, 1))))
    guard !data.isEmpty else {
      throw RequestBodyError(.wrongLength, "the stream ended \(left) bytes before its length of \(length ?? 0) bytes")
    }
    let rest = left - Int64(data.count)
    self.left.withLock { $0 = rest }
    if rest <= 0 { try expectEnd() }
    return data
  }

  func close() { reader.close() }

  private func expectEnd() throws {
    guard try readChecked(upTo: 1).isEmpty else {
      throw RequestBodyError(.wrongLength, "the stream has more bytes than its length of \(length ?? 0) bytes")
    }
  }

  private func readChecked(upTo count: Int) throws -> Data {
    let data = try reader.read(upTo: count)
    guard data.count <= count else {
      throw RequestBodyError(.wrongLength, "the reader gave \(data.count) bytes when asked for \(count)")
    }
    return data
  }
}
