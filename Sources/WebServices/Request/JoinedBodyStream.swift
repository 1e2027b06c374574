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
  let disclosedFields: [URLQueryItem]

  var disclosedBodies: [TransportBody] {
    pieces.map { piece in
      switch piece {
      case .bytes(let data): .data(data)
      case .stream(let stream): .stream(stream)
      }
    }
  }

  /// - Parameter fields: those of them that are fields with text.
  init(_ pieces: [Piece], fields: [URLQueryItem]) throws(RequestBodyError) {
    self.pieces = pieces
    disclosedFields = fields
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

/// A stream's reader that is held to the length that the stream said. It is used by one reader alone, under its lock.
final class CountedReader {
  private let reader: any TransportBodyReader
  private var left: Int64?

  init(_ stream: any TransportBodyStream) throws {
    left = stream.length
    reader = try stream.makeReader()
  }

  func read(upTo count: Int) throws -> Data {
    let wanted = left.map { Int(clamping: min(Int64(count), $0)) } ?? count
    guard wanted > 0 else { return Data() }
    let data = try reader.read(upTo: wanted)
    guard data.count <= wanted else {
      throw RequestBodyError(.wrongLength, "the reader gave \(data.count) bytes when asked for \(wanted)")
    }
    if let left {
      guard !data.isEmpty else { throw RequestBodyError(.wrongLength, "the stream ended \(left) bytes too early") }
      self.left = left - Int64(data.count)
    }
    return data
  }

  func close() { reader.close() }
}
