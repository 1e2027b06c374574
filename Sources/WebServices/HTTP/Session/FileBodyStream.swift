package import Foundation

/// Reads a file as a body. Reading fails if the file has changed since the request was described.
package struct FileBodyStream: TransportBodyStream {
  private let url: URL
  private let snapshot: FileSnapshot

  package var length: Int64? { snapshot.size }
  package var isReplayable: Bool { true }

  package init(_ url: URL) throws(RequestBodyError) {
    self.url = url
    snapshot = try FileSnapshot(url)
  }

  package func makeReader() throws -> any TransportBodyReader {
    try FileBodyReader(url, snapshot: snapshot)
  }
}

/// The properties of a file that differ after a change.
struct FileSnapshot: Equatable, Sendable {
  let size: Int64
  /// The inode number, which differs if another file took the name.
  let number: UInt64
  let modified: Date?

  /// Reads the properties, which may block.
  init(_ url: URL) throws(RequestBodyError) {
    guard url.isFileURL else { throw RequestBodyError(.notRegularFile, "the URL isn't that of a file") }
    let name = url.lastPathComponent
    var information = stat()
    guard stat(url.path, &information) == 0 else {
      throw errno == ENOENT
        ? RequestBodyError(.missingFile, "the file \(name) doesn't exist")
        : RequestBodyError(.unreadableFile, "the file \(name) can't be read")
    }
    // Opening a pipe would block for ever, and reading a directory fails.
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw RequestBodyError(.notRegularFile, "\(name) isn't a regular file")
    }
    size = Int64(information.st_size)
    number = UInt64(information.st_ino)
    // The field of `stat` with this time has a different name on each system.
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    modified = attributes?[.modificationDate] as? Date
  }
}

/// Reads a file once. It checks before the first and before the last byte that the file hasn't changed.
private final class FileBodyReader: TransportBodyReader {
  private let url: URL
  private let snapshot: FileSnapshot
  /// Guards the descriptor, so that it is closed only once.
  private let state: Locked<(descriptor: Int32?, offset: Int64)>

  init(_ url: URL, snapshot: FileSnapshot) throws {
    self.url = url
    self.snapshot = snapshot
    guard try FileSnapshot(url) == snapshot else { throw Self.changed(url) }
    // A pipe may have taken the file's name since the check. O_NONBLOCK keeps opening it from blocking.
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw RequestBodyError(.unreadableFile, "the file \(url.lastPathComponent) can't be opened")
    }
    state = Locked((descriptor, 0))
    guard isUnchanged(descriptor) else { throw Self.changed(url) }
  }

  deinit {
    close()
  }

  func read(upTo count: Int) throws -> Data {
    try state.withLock { state in
      guard let descriptor = state.descriptor else { return Data() }
      let wanted = Int(min(Int64(max(0, count)), snapshot.size - state.offset))
      guard wanted > 0 else { return Data() }
      guard let piece = readBytes(descriptor, upTo: wanted) else {
        throw RequestBodyError(.unreadableFile, "the file \(url.lastPathComponent) can't be read any further")
      }
      state.offset += Int64(piece.count)
      // The last piece is checked before it is returned, because nobody reads again after it.
      guard !piece.isEmpty, state.offset < snapshot.size || isUnchanged(descriptor) else { throw Self.changed(url) }
      return piece
    }
  }

  func close() {
    state.withLock { state in
      if let descriptor = state.descriptor { closeDescriptor(descriptor) }
      state.descriptor = nil
    }
  }

  /// Whether the open file is the one of the snapshot and unchanged. Another file under its name doesn't matter.
  private func isUnchanged(_ descriptor: Int32) -> Bool {
    var information = stat()
    guard fstat(descriptor, &information) == 0, UInt64(information.st_ino) == snapshot.number,
      Int64(information.st_size) == snapshot.size
    else { return false }
    guard let now = try? FileSnapshot(url), now.number == snapshot.number else { return true }
    return now == snapshot
  }

  private static func changed(_ url: URL) -> RequestBodyError {
    RequestBodyError(.changedFile, "the file \(url.lastPathComponent) changed after the request was described")
  }
}

/// Reads the next bytes of a file. A read that a signal interrupts is repeated.
///
/// - Returns: `nil` on failure, empty data at the end.
func readBytes(_ descriptor: Int32, upTo count: Int) -> Data? {
  var data = Data(count: count)
  let result = data.withUnsafeMutableBytes { bytes in
    var result = read(descriptor, bytes.baseAddress, bytes.count)
    while result < 0, errno == EINTR { result = read(descriptor, bytes.baseAddress, bytes.count) }
    return result
  }
  guard result >= 0 else { return nil }
  return data.prefix(result)
}

/// Calls the system's `close`, whose name the method `FileBodyReader.close()` hides.
private func closeDescriptor(_ descriptor: Int32) {
  _ = close(descriptor)
}
