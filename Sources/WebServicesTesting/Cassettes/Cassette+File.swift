public import Foundation

extension Cassette {
  /// The size of the largest readable file, in bytes.
  private static let fileLimit = 512 * 1024 * 1024

  /// Reads a cassette from a file.
  ///
  /// - Parameter url: a `file:` URL of a regular file of at most 512 MiB.
  /// - Throws: ``CassetteError`` with the place and the reason.
  public init(contentsOf url: URL) throws(CassetteError) {
    let data: Data
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
      // Reading a pipe or a device could block for ever.
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw CassetteError.unreadable(path: url.path, reason: "the path is no regular file")
      }
      guard (attributes[.size] as? NSNumber)?.intValue ?? 0 <= Self.fileLimit else {
        throw CassetteError.tooLarge(limit: Self.fileLimit)
      }
      data = try Data(contentsOf: url)
    } catch let error as CassetteError {
      throw error
    } catch {
      throw .unreadable(path: url.path, reason: "\((error as NSError).domain) \((error as NSError).code)")
    }
    try self.init(data: data)
  }

  /// Decodes a cassette from the content of a file.
  ///
  /// - Throws: ``CassetteError`` with the place and the reason.
  public init(data: Data) throws(CassetteError) {
    do {
      let decoder = JSONDecoder()
      let version = try decoder.decode(CassetteFile.Version.self, from: data).version
      guard version == CassetteFile.currentVersion else { throw CassetteError.unsupportedVersion(version) }
      self = try decoder.decode(CassetteFile.self, from: data).cassette()
    } catch let error as CassetteError {
      throw error
    } catch let error as DecodingError {
      throw .damaged(error.inWords)
    } catch {
      throw .damaged("\(error)")
    }
  }

  /// The content of a cassette's file: formatted JSON with a stable order, so that files can be compared.
  ///
  /// - Throws: ``CassetteError`` if the content can't be encoded.
  public func data() throws(CassetteError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(CassetteFile(self)) + Data("\n".utf8)
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
      throw .unreadable(path: url.path, reason: "\((error as NSError).domain) \((error as NSError).code)")
    }
  }
}

extension DecodingError {
  /// The place and the reason, such as `at exchanges[0].request: the member is missing`.
  fileprivate var inWords: String {
    let (context, last): (Context, (any CodingKey)?) =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): (context, nil)
      case .keyNotFound(let key, let context): (context, key)
      @unknown default: (Context(codingPath: [], debugDescription: "the value can't be decoded"), nil)
      }
    let path = (context.codingPath + [last].compactMap { $0 }).reduce(into: "") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
    }
    let reason = last == nil ? context.debugDescription : "the member is missing"
    return path.isEmpty ? reason : "at \(path): \(reason)"
  }
}
