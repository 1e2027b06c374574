import Foundation

/// A file as it was when it was described: what is sent is that, or an error.
struct FileBodyStream: TransportBodyStream {
  private let url: URL
  private let snapshot: FileSnapshot

  var length: Int64? { snapshot.size }
  var isReplayable: Bool { true }

  init(_ url: URL) throws(RequestBodyError) {
    self.url = url
    snapshot = try FileSnapshot(url)
  }

  func makeReader() throws -> any TransportBodyReader {
    try FileBodyReader(url, snapshot: snapshot)
  }
}

/// What a change of a file would change.
struct FileSnapshot: Equatable, Sendable {
  let size: Int64
  /// Tells a file from another one that took its name.
  let number: UInt64
  let modified: Date?

  /// It may block.
  init(_ url: URL) throws(RequestBodyError) {
    guard url.isFileURL else { throw RequestBodyError(.notRegularFile, "the URL isn't that of a file") }
    let name = url.lastPathComponent
    var information = stat()
    guard stat(url.path, &information) == 0 else {
      throw errno == ENOENT
        ? RequestBodyError(.missingFile, "the file \(name) doesn't exist")
        : RequestBodyError(.unreadableFile, "the file \(name) can't be read")
    }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw RequestBodyError(.notRegularFile, "\(name) isn't a regular file")
    }
    size = Int64(information.st_size)
    number = UInt64(information.st_ino)
    // The time's name in `stat` isn't the same on all systems.
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    modified = attributes?[.modificationDate] as? Date
  }
}

/// One pass over a file.
///
/// `lock` guards all that varies.
private final class FileBodyReader: TransportBodyReader, @unchecked Sendable {
  private let url: URL
  private let snapshot: FileSnapshot
  private let lock = NSLock()
  private var descriptor: Int32?
  private var offset: Int64 = 0

  init(_ url: URL, snapshot: FileSnapshot) throws {
    self.url = url
    self.snapshot = snapshot
    guard try FileSnapshot(url) == snapshot else { throw Self.changed(url) }
    // Not to block where a pipe has taken the file's name since.
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw RequestBodyError(.unreadableFile, "the file \(url.lastPathComponent) can't be opened")
    }
    self.descriptor = descriptor
    guard isSame(descriptor), isUnchanged(descriptor) else { throw Self.changed(url) }
  }

  deinit {
    close()
  }

  func read(upTo count: Int) throws -> Data {
    lock.lock()
    defer { lock.unlock() }
    guard let descriptor else { return Data() }
    let wanted = Int(min(Int64(max(0, count)), snapshot.size - offset))
    guard wanted > 0 else { return Data() }
    guard let piece = readBytes(descriptor, upTo: wanted) else {
      throw RequestBodyError(.unreadableFile, "the file \(url.lastPathComponent) can't be read any further")
    }
    offset += Int64(piece.count)
    // Also at the end, before the last bytes are given away: behind them nobody asks any more.
    guard !piece.isEmpty, offset < snapshot.size || isUnchanged(descriptor) else { throw Self.changed(url) }
    return piece
  }

  func close() {
    lock.lock()
    defer { lock.unlock() }
    if let descriptor { closeDescriptor(descriptor) }
    descriptor = nil
  }

  private func isSame(_ descriptor: Int32) -> Bool {
    var information = stat()
    return fstat(descriptor, &information) == 0 && UInt64(information.st_ino) == snapshot.number
  }

  /// Whether the open file is what it was. Another one under its name doesn't matter.
  private func isUnchanged(_ descriptor: Int32) -> Bool {
    var information = stat()
    guard fstat(descriptor, &information) == 0, Int64(information.st_size) == snapshot.size else { return false }
    guard let now = try? FileSnapshot(url), now.number == snapshot.number else { return true }
    return now == snapshot
  }

  private static func changed(_ url: URL) -> RequestBodyError {
    RequestBodyError(.changedFile, "the file \(url.lastPathComponent) changed after the request was described")
  }
}

/// `nil` on failure, empty at the end.
private func readBytes(_ descriptor: Int32, upTo count: Int) -> Data? {
  var data = Data(count: count)
  let result = data.withUnsafeMutableBytes { bytes in
    var result = read(descriptor, bytes.baseAddress, bytes.count)
    while result < 0, errno == EINTR { result = read(descriptor, bytes.baseAddress, bytes.count) }
    return result
  }
  guard result >= 0 else { return nil }
  return data.prefix(result)
}

private func closeDescriptor(_ descriptor: Int32) {
  _ = close(descriptor)
}
