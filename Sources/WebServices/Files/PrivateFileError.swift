public import Foundation

/// Why a private file or its folder can't be used.
public enum PrivateFileError: LocalizedError, Hashable, CustomStringConvertible {
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

  /// The reason in words for developers.
  public var description: String {
    switch self {
    case .notAFileURL: "the URL names no file in a directory"
    case .symbolicLink(let path): "\(path) is a symbolic link; name what it leads to"
    case .wrongType(let path): "\(path) isn't a file or a directory, as it has to be"
    case .otherOwner(let path): "\(path) belongs to another user"
    case .tooOpen(let path, let mode): "\(path) is open to others (mode \(String(mode, radix: 8))); use a private one"
    case .damaged(let path): "\(path) is damaged, too large or not a file of the library"
    case .system(let call, let path, let code):
      "\(call) failed for \(path): \(String(cString: strerror(Int32(truncatingIfNeeded: code))))"
    }
  }

  /// Equal to ``description``.
  public var errorDescription: String? { description }
}
