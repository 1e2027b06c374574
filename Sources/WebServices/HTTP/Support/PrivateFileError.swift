import Foundation

/// Why a private file or its folder can't be used.
public enum PrivateFileError: Error, Hashable {
  /// The URL isn't a file URL, or names no file in a directory.
  case notAFileURL
  /// A symbolic link is in the place of the file or its directory.
  case symbolicLink(path: String)
  /// The path of the file isn't a file, or the path of its directory isn't a directory.
  case wrongType(path: String)
  /// The file or the directory belongs to another user.
  case otherOwner(path: String)
  /// Others than the owner may read or write the file or the directory; `mode` has its permission bits.
  case tooOpen(path: String, mode: Int)
  /// The file is damaged, too large or not a file of the library.
  case damaged(path: String)
  /// A call of the system failed; `code` is its `errno`.
  case system(call: String, path: String, code: Int)
}

/// The system's facts about a file, a folder or a symbolic link. Links aren't followed.
package struct FileFacts {
  private let status: stat

  init?(_ path: String) {
    self.init { lstat(path, &$0) }
  }

  init?(_ name: String, in folder: Int32) {
    self.init { fstatat(folder, name, &$0, AT_SYMLINK_NOFOLLOW) }
  }

  package init?(_ descriptor: Int32) {
    self.init { fstat(descriptor, &$0) }
  }

  private init?(_ call: (inout stat) -> Int32) {
    var status = stat()
    guard call(&status) == 0 else { return nil }
    self.status = status
  }

  var size: Int { max(0, Int(clamping: status.st_size)) }
  var mode: mode_t { status.st_mode & 0o7777 }
  var isFile: Bool { status.st_mode & S_IFMT == S_IFREG }

  /// Microseconds since 1970.
  var stamp: Int64 {
    let time = Platform.modificationTime(of: status)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// Why the file or folder can't be used; `nil` when it can.
  package func refusal(of path: String, isFolder: Bool, isPrivate: Bool) -> PrivateFileError? {
    guard status.st_mode & S_IFMT != S_IFLNK else { return .symbolicLink(path: path) }
    guard status.st_mode & S_IFMT == (isFolder ? S_IFDIR : S_IFREG) else { return .wrongType(path: path) }
    guard status.st_uid == geteuid() else { return .otherOwner(path: path) }
    return isPrivate && mode & 0o077 != 0 ? .tooOpen(path: path, mode: Int(mode)) : nil
  }
}
