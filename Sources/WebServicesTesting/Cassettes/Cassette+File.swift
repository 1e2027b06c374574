public import Foundation
import WebServicesCore

extension Cassette {
  /// The size of the largest readable file, in bytes: that of the largest document of `FeatherJSONDecoder`.
  private static let fileLimit = 256 * 1024 * 1024 - 1

  /// Reads a HAR file: a recording of this library, or the export of a browser or a proxy.
  ///
  /// - Parameter url: a `file:` URL of a regular file of less than 256 MiB.
  /// - Throws: ``CassetteError`` with the place and the reason.
  public init(contentsOf url: URL) throws(CassetteError) {
    try self.init(data: try Data(regularFile: url, limit: Self.fileLimit))
  }

  /// Decodes the content of a HAR file. The exchanges are in the order in which they started.
  ///
  /// - Throws: ``CassetteError`` with the place and the reason.
  public init(data: Data) throws(CassetteError) {
    // The first byte of gzip, zip and zlib.
    if let first = data.first, [0x1F, 0x50, 0x78].contains(first) {
      throw .damaged("the file is compressed, so decompress it first")
    }
    do {
      // Foundation's decoder traps on some deeply nested documents on Linux.
      self = try FeatherJSONDecoder().decode(HAR.self, from: data).cassette()
    } catch let error as DecodingError {
      let facts = DecodingErrorFacts(error)
      let place = facts.pathInWords.joined(separator: ".").replacingOccurrences(of: ".[", with: "[")
      throw .damaged(
        "at \(place.isEmpty ? "the start" : place): \(facts.expected.map { "expected \($0)" } ?? facts.explanation)")
    } catch {
      throw error as? CassetteError ?? .damaged("\(error)")
    }
  }

  /// The content of a HAR file: formatted JSON with a stable order, so that files can be compared.
  ///
  /// - Throws: ``CassetteError`` if the content can't be encoded.
  public func data() throws(CassetteError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(har) + Data("\n".utf8)
    } catch {
      throw .damaged("\(error)")
    }
  }

  /// Writes the file atomically and replaces an existing one.
  ///
  /// - Parameter url: the `file:` URL to write to. The folder must exist.
  /// - Throws: ``CassetteError`` if the file can't be written.
  public func write(to url: URL) throws(CassetteError) {
    let data = try data()
    do {
      try data.write(to: url, options: .atomic)
    } catch {
      throw CassetteError(url, error)
    }
  }
}

extension CassetteError {
  fileprivate init(_ url: URL, _ error: any Error) {
    self = .unreadable(path: url.path, reason: error.localizedDescription)
  }
}

extension Data {
  /// The content of a regular file. Reading a pipe or a device could block for ever.
  init(regularFile url: URL, limit: Int) throws(CassetteError) {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
      guard url.isFileURL, attributes[.type] as? FileAttributeType == .typeRegular else {
        throw CassetteError.unreadable(path: url.path, reason: "the path is no regular file")
      }
      guard (attributes[.size] as? NSNumber)?.intValue ?? 0 <= limit else { throw CassetteError.tooLarge(limit: limit) }
      self = try Data(contentsOf: url)
    } catch {
      throw error as? CassetteError ?? CassetteError(url, error)
    }
  }
}
