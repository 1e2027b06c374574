package import Foundation

/// Reads a file as a body. Reading fails if the file has changed since the request was described.
package struct FileBodyStream: TransportBody.Stream {
  let url: URL
  fileprivate let snapshot: FileSnapshot

  package var length: Int64? { snapshot.size }
  package var isReplayable: Bool { true }

  package init(_ url: URL) throws(RequestBodyError) {
    self.url = url
    snapshot = try FileSnapshot(url)
  }

  package func makeReader() throws -> any TransportBody.Reader { try FileBodyReader(self) }

  /// The error of the system's last call.
  fileprivate func failure(_ verb: String) -> RequestBodyError {
    let words = ErrorName.ofSystemError(errno)
    return RequestBodyError(.unreadableFile, "the file \(url.lastPathComponent) can't be \(verb): \(words)")
  }

  /// Fails if the file has changed.
  package func check() throws(RequestBodyError) { guard try FileSnapshot(url) == snapshot else { throw changed } }

  fileprivate var changed: RequestBodyError {
    RequestBodyError(.changedFile, "the file \(url.lastPathComponent) changed after the request was described")
  }
}

/// The properties of a file that differ after a change. The inode number differs if another file took the name.
struct FileSnapshot: Equatable, Sendable {
  let size, number, seconds, nanoseconds: Int64

  /// Reads the properties of an item, which may block.
  init(_ url: URL) throws(RequestBodyError) {
    guard url.isFileURL else { throw RequestBodyError(.notRegularFile, "the URL isn't that of a file") }
    let name = url.lastPathComponent
    var status = stat()
    guard stat(url.path, &status) == 0 else {
      throw errno == ENOENT
        ? RequestBodyError(.missingFile, "the file \(name) doesn't exist")
        : RequestBodyError(.unreadableFile, "the file \(name) can't be read: \(ErrorName.ofSystemError(errno))")
    }
    // Opening a pipe would block for ever, and reading a directory fails.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RequestBodyError(.notRegularFile, "\(name) isn't a regular file")
    }
    self.init(status)
  }

  /// Reads the properties of an open file; `nil` on failure.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    let time = Platform.modificationTime(of: status)
    (size, number) = (Int64(status.st_size), Int64(truncatingIfNeeded: status.st_ino))
    (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec))
  }
}

/// Reads a file once. It checks before it opens the file and after each piece that the file hasn't changed.
private final class FileBodyReader: TransportBody.Reader {
  private let file: FileBodyStream
  /// Guards the handle, so that it is closed only once.
  private let handle: Locked<FileHandle?>

  init(_ file: FileBodyStream) throws {
    self.file = file
    try file.check()
    // A pipe may have taken the file's name since the check. O_NONBLOCK keeps opening it from blocking.
    let descriptor = open(file.url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw file.failure("opened") }
    handle = Locked(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
  }

  func read(upTo count: Int) throws -> Data {
    try handle.withLock { handle in
      guard let handle else { return Data() }
      // The handle would read 4096 bytes with each call of the system, and fail if a signal interrupts one.
      var (piece, size) = (Data(count: max(0, count)), 0)
      repeat {
        size = piece.withUnsafeMutableBytes { Foundation.read(handle.fileDescriptor, $0.baseAddress, $0.count) }
      } while size < 0 && errno == EINTR
      guard size >= 0 else { throw file.failure("read any further") }
      guard FileSnapshot(handle.fileDescriptor) == file.snapshot else { throw file.changed }
      return piece.prefix(size)
    }
  }

  func close() { try? handle.withLock { $0.take() }?.close() }
}
