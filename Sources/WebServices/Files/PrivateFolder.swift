package import Foundation

/// A folder whose files only its owner can read. Call `content`, `replace` and `remove` for files. The folder
/// is held open, so that nobody can put another folder in its place between two calls.
///
/// No method follows a symbolic link, waits for a pipe, or leaves a file half written under its own name.
package final class PrivateFolder: Sendable {
  /// Says what to do with a folder that others may look into.
  package enum Privacy {
    /// The folder is used. Its content isn't trusted.
    case ignored
    /// The folder is refused.
    case required
    /// The folder is closed to others.
    case enforced
  }

  private let path: String
  private let descriptor: Int32

  /// Opens a folder; `nil` when there is none and none is made.
  ///
  /// - Parameters:
  ///   - path: the place.
  ///   - privacy: what to do if others may look into the folder.
  ///   - isMade: whether the folder is made if there is none.
  package init?(_ path: String, privacy: Privacy, isMade: Bool = false) throws(PrivateFileError) {
    if isMade { try Self.create(path) }
    (self.path, descriptor) = (path, open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    guard descriptor >= 0 else {
      let code = errno
      guard code != ENOENT || isMade else { return nil }
      try FileFacts { lstat(path, &$0) }?.check(path, isFolder: true, isPrivate: false)
      throw .system(call: "open", path: path, code: Int(code))
    }
    guard let facts = FileFacts({ fstat(descriptor, &$0) }) else { throw failure("fstat", "") }
    if privacy != .ignored { try facts.check(path, isFolder: true, isPrivate: privacy == .required) }
    if privacy == .enforced, facts.mode & 0o777 != 0o700, fchmod(descriptor, 0o700) != 0 { throw failure("chmod", "") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Creates the folder and the missing folders above it, closed to others from the start. A file that is in the way is
  /// an error of `init`.
  private static func create(_ path: String) throws(PrivateFileError) {
    // `NSString` on Linux traps for the folder of a path of one letter.
    let parent = String(path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)])
    if !parent.isEmpty, access(parent, F_OK) != 0 { try create(parent) }
    guard changingFile("mkdir", { mkdir(path, 0o700) }) == 0 || errno == EEXIST
    else { throw .system(call: "mkdir", path: path, code: Int(errno)) }
  }

  /// The names of everything in the folder.
  package func names() throws(PrivateFileError) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch { throw failure("opendir", "") }
  }

  /// The system's facts about a name; `nil` when nothing has the name.
  package func facts(of name: String) -> FileFacts? {
    FileFacts { fstatat(descriptor, name, &$0, AT_SYMLINK_NOFOLLOW) }
  }

  /// Throws if the name isn't a file of this user.
  ///
  /// - Parameter isPrivate: whether to refuse a file that others may read or write.
  package func check(_ name: String, isPrivate: Bool) throws(PrivateFileError) {
    try facts(of: name)?.check(path(of: name), isFolder: false, isPrivate: isPrivate)
  }

  /// The content of a file of this user; `nil` when there is no such file.
  ///
  /// - Parameters:
  ///   - name: the file.
  ///   - limit: bytes; a larger file counts as damaged.
  ///   - isPrivate: whether a file is refused that others may read or write.
  ///   - stamp: when the file counts as used, in microseconds since 1970.
  package func content(
    of name: String, limit: Int, isPrivate: Bool, stamp: Int64? = nil
  ) throws(PrivateFileError) -> Data? {
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      let error = failure("open", name)
      if case .system(_, _, Int(ENOENT)) = error { return nil }
      try check(name, isPrivate: isPrivate)
      throw error
    }
    defer { close(file) }
    guard let facts = FileFacts({ fstat(file, &$0) }) else { throw failure("fstat", name) }
    try facts.check(path(of: name), isFolder: false, isPrivate: isPrivate)
    guard facts.size <= limit else { throw .damaged(path: path(of: name)) }
    if let stamp { setTime(of: file, stamp) }
    var data = Data(count: facts.size)
    let count = data.withUnsafeMutableBytes { bytes in
      repeated(bytes.count) { read(file, bytes.baseAddress?.advanced(by: $0), bytes.count - $0) }
    }
    guard count == data.count else { throw failure("read", name) }
    return data
  }

  /// Replaces the file with this name atomically: readers see the old content or the new content, never a part.
  ///
  /// - Parameters:
  ///   - name: the place.
  ///   - data: the content of the file.
  ///   - temporaryName: the name of the file while it is written.
  ///   - isDurable: whether to wait until the content and the name are on the disk.
  ///   - stamp: when the file counts as used, in microseconds since 1970.
  package func replace(
    _ name: String, with data: Data, by temporaryName: String, isDurable: Bool = false, stamp: Int64? = nil
  ) throws(PrivateFileError) {
    let file = changingFile("open") {
      openat(descriptor, temporaryName, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    guard file >= 0 else { throw failure("open", temporaryName) }
    let count = data.withUnsafeBytes { bytes in
      repeated(bytes.count) { done in
        changingFile("write") { write(file, bytes.baseAddress?.advanced(by: done), bytes.count - done) }
      }
    }
    // Made before the next calls change `errno`.
    var error = count == data.count && (!isDurable || fsync(file) == 0) ? nil : failure("write", temporaryName)
    if let stamp { setTime(of: file, stamp) }
    if close(file) != 0, error == nil { error = failure("close", temporaryName) }
    if error == nil, changingFile("rename", { renameat(descriptor, temporaryName, descriptor, name) }) != 0 {
      error = failure("rename", name)
    }
    if let error {
      _ = changingFile("unlink") { unlinkat(descriptor, temporaryName, 0) }
      throw error
    }
    // The new name is only durable once the folder is synced. Some file systems can't do that, which isn't an error.
    if isDurable { fsync(descriptor) }
  }

  /// Removes a file. A file that isn't there is no error.
  package func remove(_ name: String, isDurable: Bool = false) throws(PrivateFileError) {
    guard changingFile("unlink", { unlinkat(descriptor, name, 0) }) == 0 || errno == ENOENT
    else { throw failure("unlink", name) }
    if isDurable { fsync(descriptor) }
  }

  private func path(of name: String) -> String { (path as NSString).appendingPathComponent(name) }

  private func failure(_ call: String, _ name: String, code: Int32 = errno) -> PrivateFileError {
    .system(call: call, path: path(of: name), code: Int(code))
  }
}

/// Calls the system with the number of bytes that are done, until all are done or a call fails.
///
/// - Returns: how many bytes are done.
private func repeated(_ count: Int, _ call: (Int) -> Int) -> Int {
  var done = 0
  while done < count {
    let result = call(done)
    if result < 0, errno == EINTR { continue }
    guard result > 0 else { break }
    done += result
  }
  return done
}

/// Sets when a file was used last. If that fails, the file counts as older than it is, which is harmless.
private func setTime(of descriptor: Int32, _ stamp: Int64) {
  let time = timeval(
    tv_sec: .init(truncatingIfNeeded: stamp / 1_000_000), tv_usec: .init(truncatingIfNeeded: stamp % 1_000_000))
  _ = [time, time].withUnsafeBufferPointer { futimes(descriptor, $0.baseAddress) }
}

/// The system's facts about a file, a folder or a symbolic link. Links aren't followed.
package struct FileFacts {
  private let status: stat

  package init?(_ call: (inout stat) -> Int32) {
    var status = stat()
    guard call(&status) == 0 else { return nil }
    self.status = status
  }

  /// Bytes.
  package var size: Int { max(0, Int(clamping: status.st_size)) }
  var mode: mode_t { status.st_mode & 0o7777 }
  package var isFile: Bool { kind == S_IFREG }
  private var kind: mode_t { status.st_mode & S_IFMT }

  /// When the file was written or used last, in microseconds since 1970.
  package var stamp: Int64 {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    // A file system may keep a time that no clock shows. It wraps, because a trap would end the process.
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000
  }

  /// Throws if the file or folder can't be used. The path is for the error.
  package func check(_ path: String, isFolder: Bool, isPrivate: Bool) throws(PrivateFileError) {
    guard kind != S_IFLNK else { throw .symbolicLink(path: path) }
    guard kind == (isFolder ? S_IFDIR : S_IFREG) else { throw .wrongType(path: path) }
    guard status.st_uid == geteuid() else { throw .otherOwner(path: path) }
    if isPrivate, mode & 0o077 != 0 { throw .tooOpen(path: path, mode: Int(mode)) }
  }
}
