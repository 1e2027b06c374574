import Foundation

/// Why a body can't be sent.
struct BodyFailure: Error, CustomStringConvertible {
  let description: String

  /// A pipe may have no end, and to open one may block for ever.
  static let notRegularFile = BodyFailure(description: "the URL doesn't name a regular file")
}

extension TransportBody {
  /// All bytes in memory, for sessions that take a body in no other way. It may block.
  ///
  /// - Parameter isWanted: asked between the pieces of a stream; once it says no, the rest is left unread.
  func loaded(while isWanted: () -> Bool = { true }) throws(TransportError) -> Data? {
    do {
      switch self {
      case .none: return nil
      case .data(let data): return data
      case .file(let url): return try url.contentOfRegularFile()
      case .stream(let stream): return try stream.collect(while: isWanted)
      }
    } catch {
      throw TransportError(
        .file, message: "the request's body can't be read", mayHaveReachedServer: false, underlying: error)
    }
  }
}

extension URL {
  /// Reads a file; a directory or a pipe, which may have no end, is refused.
  fileprivate func contentOfRegularFile() throws -> Data {
    guard isFileURL else { throw BodyFailure(description: "the URL isn't that of a file") }
    let attributes = try FileManager.default.attributesOfItem(atPath: resolvingSymlinksInPath().path)
    guard attributes[.type] as? FileAttributeType == .typeRegular else { throw BodyFailure.notRegularFile }
    return try Data(contentsOf: self, options: .mappedIfSafe)
  }
}

extension TransportBodyStream {
  fileprivate func collect(while isWanted: () -> Bool) throws -> Data {
    let reader = try CountedReader(self)
    defer { reader.close() }
    var content = Data()
    while isWanted() {
      let piece = try reader.read(upTo: 131_072)
      guard !piece.isEmpty else { break }
      content.append(piece)
    }
    return content
  }
}
