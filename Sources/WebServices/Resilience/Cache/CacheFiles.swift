import Foundation

/// What a store on disk does with files. Nothing here follows a link, waits for a pipe or leaves a file half written
/// under its own name; a file that vanishes meanwhile is one that isn't there.
enum CacheFiles {
  /// Reads a regular file of at most `limit` bytes; `nil` where there is none, or where it can't be read.
  ///
  /// - Parameter stamp: when the file is to count as used, in microseconds since 1970.
  static func contents(of path: String, limit: Int, stamp: Int64? = nil) -> Data? {
    // Without blocking: a pipe of that name would never be opened.
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0,
      status.st_size <= limit
    else { return nil }
    if let stamp { setTime(of: descriptor, stamp) }
    return read(Int(status.st_size), from: descriptor)
  }

  /// Writes a file under a name of its own and then gives it the right one, in one step.
  ///
  /// - Throws: what the system said.
  static func write(_ data: Data, to path: String, by temporaryPath: String, stamp: Int64) throws(POSIXError) {
    try create(temporaryPath, with: data, stamp: stamp)
    guard rename(temporaryPath, path) == 0 else {
      let error = POSIXError.current
      unlink(temporaryPath)
      throw error
    }
  }

  /// Creates a file that only its owner can read, unless there is one of that name.
  ///
  /// - Returns: whether it was created.
  static func createExclusively(
    _ path: String, with data: Data, by temporaryPath: String
  ) throws(POSIXError) -> Bool {
    try create(temporaryPath, with: data, stamp: nil)
    defer { unlink(temporaryPath) }
    if link(temporaryPath, path) == 0 { return true }
    let error = POSIXError.current
    if error.code == .EEXIST { return false }
    // Not every file system has links.
    guard rename(temporaryPath, path) == 0 else { throw error }
    return true
  }

  /// Makes sure of a directory that belongs to this user and that nobody else can look into.
  static func makePrivateDirectory(_ path: String) throws(POSIXError) {
    if mkdir(path, 0o700) == 0 { return }
    let error = POSIXError.current
    var status = stat()
    guard error.code == .EEXIST, lstat(path, &status) == 0 else { throw error }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw POSIXError(.ENOTDIR) }
    guard status.st_uid == geteuid() else { throw POSIXError(.EPERM) }
    guard status.st_mode & 0o777 == 0o700 || chmod(path, 0o700) == 0 else { throw POSIXError.current }
  }

  static func remove(_ path: String) {
    unlink(path)
  }

  /// Size in bytes and when the file was last written or used, in microseconds since 1970; `nil` where it isn't there.
  static func facts(of path: String) -> (size: Int, stamp: Int64)? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let size = Int(exactly: status.st_size)
    else { return nil }
    return (size, status.modificationTime)
  }

  private static func create(_ path: String, with data: Data, stamp: Int64?) throws(POSIXError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError.current }
    let isWritten = writeAll(data, to: descriptor)
    let error = POSIXError.current
    if let stamp { setTime(of: descriptor, stamp) }
    let isClosed = close(descriptor) == 0
    guard isWritten, isClosed else {
      unlink(path)
      throw error
    }
  }

  private static func writeAll(_ data: Data, to descriptor: Int32) -> Bool {
    data.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Foundation.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        offset += count
      }
      return true
    }
  }

  private static func read(_ size: Int, from descriptor: Int32) -> Data? {
    var data = Data(count: size)
    let count = data.withUnsafeMutableBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Foundation.read(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        offset += count
      }
      return offset
    }
    return count == size ? data : nil
  }

  private static func setTime(of descriptor: Int32, _ stamp: Int64) {
    let time = timeval(
      tv_sec: .init(truncatingIfNeeded: stamp / 1_000_000), tv_usec: .init(truncatingIfNeeded: stamp % 1_000_000))
    // Where it can't be set, the file only counts as older than it is.
    _ = [time, time].withUnsafeBufferPointer { futimes(descriptor, $0.baseAddress) }
  }
}

extension POSIXError {
  /// What `errno` says.
  fileprivate static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
