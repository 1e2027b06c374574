import Foundation

/// What the system knows of a file or a directory, and whether that is reason to leave it alone.
struct FileFacts {
  private let status: stat

  /// What a path names, a symbolic link itself included; `nil` with `errno` set where there is nothing.
  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.status = status
  }

  /// What a name in an open directory stands for, a symbolic link itself included.
  init?(_ name: String, in directory: Int32) {
    var status = stat()
    guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    self.status = status
  }

  /// What is open.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.status = status
  }

  /// Its length in bytes.
  var size: Int { Int(status.st_size) }

  /// Why it must not be used; `nil` where it may.
  ///
  /// - Parameters:
  ///   - type: what it has to be, `S_IFREG` or `S_IFDIR`.
  ///   - isPrivate: whether it has to be closed to others.
  func refusal(of path: String, as type: mode_t, isPrivate: Bool = true) -> FileTokenStorage.Failure? {
    switch status.st_mode & S_IFMT {
    case S_IFLNK: return .symbolicLink(path: path)
    case type: break
    default: return .wrongType(path: path)
    }
    guard status.st_uid == geteuid() else { return .otherOwner(path: path) }
    let mode = status.st_mode & 0o7777
    return isPrivate && mode & 0o077 != 0 ? .tooOpen(path: path, mode: Int(mode)) : nil
  }
}

// The system's calls under names that no method of a Swift type hides.

func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
  open(path, flags)
}

func systemClose(_ descriptor: Int32) {
  _ = close(descriptor)
}

/// The next bytes; empty at the end, `nil` with `errno` set where they can't be read.
func systemRead(_ descriptor: Int32, _ count: Int) -> Data? {
  var data = Data(count: count)
  let result = data.withUnsafeMutableBytes { bytes in
    var result = read(descriptor, bytes.baseAddress, count)
    while result < 0, errno == EINTR { result = read(descriptor, bytes.baseAddress, count) }
    return result
  }
  return result < 0 ? nil : data.prefix(result)
}

/// Whether all of it was written; where not, `errno` is set.
func systemWrite(_ data: Data, to descriptor: Int32) -> Bool {
  data.withUnsafeBytes { bytes in
    var offset = 0
    while offset < bytes.count {
      let count = write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }
}
