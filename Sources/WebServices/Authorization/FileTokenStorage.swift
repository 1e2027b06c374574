public import Foundation

/// Keeps the token in a file that only this user can read: mode 0600, in a directory of mode 0700.
///
/// The file is replaced as a whole (written beside its place, flushed to the disk, renamed), so that another process,
/// or this one after a crash, reads the former token or the new one and never a half. Of two processes that save at the
/// same time, the last one wins.
///
/// What can't be trusted is refused rather than used: see `Failure`. Where the file is damaged or foreign, a manager
/// counts as signed out, and the next sign-in replaces it.
public struct FileTokenStorage: TokenStorage {
  /// Why the file couldn't be read or written.
  public enum Failure: Error, Equatable {
    /// The URL isn't that of a file in a directory.
    case notAFileURL
    /// A symbolic link stands where the file or its directory should be.
    case symbolicLink(path: String)
    /// Something else than a file stands where the file should be, or than a directory where that should be.
    case wrongType(path: String)
    /// The file or the directory belongs to another user.
    case otherOwner(path: String)
    /// Others than the owner may read or write the file or the directory; `mode` has its permission bits.
    case tooOpen(path: String, mode: Int)
    /// What the file holds is no token of ours, or is damaged.
    case damaged(path: String)
    /// A call of the system failed; `code` is its `errno`.
    case system(call: String, path: String, code: Int)
  }

  /// More than a token needs: a larger file is none of ours.
  static let sizeLimit = 64 * 1024

  private let url: URL

  /// Creates a storage. Nothing is touched before it is used.
  ///
  /// - Parameter url: the file. Directories that are missing on the way to it are made with mode 0700 when a token is
  ///   saved; one that is there must belong to this user and be closed to others.
  public init(url: URL) {
    self.url = url
  }

  /// The token that was saved last, or `nil` where there is none. Throws a `Failure`.
  public func load() throws -> StoredToken? {
    let place = try place()
    guard let directory = try PrivateDirectory.open(place.directory) else { return nil }
    defer { directory.close() }
    guard let data = try directory.read(place.name, limit: Self.sizeLimit) else { return nil }
    guard let token = try? JSONDecoder().decode(StoredToken.self, from: data), !token.apiToken.isEmpty else {
      throw Failure.damaged(path: url.path)
    }
    return token
  }

  /// Keeps a token in place of the former one. Throws a `Failure`, or an `EncodingError` where the token's dates are no
  /// numbers; the former token is then there yet.
  public func save(_ token: StoredToken) throws {
    let place = try place()
    let data = try JSONEncoder().encode(token)
    try PrivateDirectory.make(place.directory)
    guard let directory = try PrivateDirectory.open(place.directory) else {
      throw Failure.system(call: "open", path: place.directory, code: Int(ENOENT))
    }
    defer { directory.close() }
    try directory.replace(place.name, with: data)
  }

  /// Forgets the token, whatever stands in its place, and what saves that were broken off have left. Throws a
  /// `Failure`; a save at the same time may fail.
  public func clear() throws {
    let place = try place()
    guard let directory = try PrivateDirectory.open(place.directory, isTrusted: false) else { return }
    defer { directory.close() }
    try directory.remove(place.name)
  }

  private func place() throws(Failure) -> (directory: String, name: String) {
    let name = url.lastPathComponent
    guard url.isFileURL, !url.hasDirectoryPath, !name.isEmpty, name != ".", name != "..", !name.contains("/"),
      !url.absoluteString.contains("%00")
    else { throw .notAFileURL }
    return (url.deletingLastPathComponent().path, name)
  }
}
