public import Foundation

/// Keeps the token in a file that only this user can read: mode 0600, in a directory of mode 0700.
///
/// The file is replaced as a whole: the storage writes a file beside it, flushes that to the disk and renames it.
/// Another process, or this one after a crash, reads the former token or the new one and never a half. When two
/// processes save at the same time, the last one wins. One process at a time renews the token: <doc:UsingTokens> says
/// how processes share a file.
///
/// A file or directory that can't be trusted is refused: see ``Failure``. A manager counts as signed out then, and the
/// next sign-in replaces a damaged file.
public struct FileTokenStorage: LockableTokenStorage {
  /// Why the file couldn't be read or written.
  public typealias Failure = PrivateFileError

  /// More bytes than a token needs: a larger file wasn't written by the library.
  static let sizeLimit = 64 * 1024

  private let url: URL

  /// Creates a storage. The file isn't touched before a token is loaded or saved.
  ///
  /// - Parameter url: the file. Missing directories above it are made with mode 0700 when a token is saved. A directory
  ///   that exists must belong to this user and be closed to others.
  public init(url: URL) { self.url = url }

  /// The token that was saved last, or `nil` when there is none.
  ///
  /// - Throws: a ``Failure``.
  public func load() throws -> StoredToken? {
    let place = try place()
    let folder = try PrivateFolder(place.folder, privacy: .required)
    guard let data = try folder?.content(of: place.name, limit: Self.sizeLimit, isPrivate: true) else { return nil }
    guard let token = StoredToken(kept: data) else { throw Failure.damaged(path: url.path) }
    return token
  }

  /// Keeps a token in place of the former one.
  ///
  /// - Parameter token: the token to keep.
  /// - Throws: a ``Failure``, or an `EncodingError` when a date of the token isn't a number. The former token stays
  ///   then.
  public func save(_ token: StoredToken) throws {
    let place = try place()
    let data = try token.kept()
    let folder = try PrivateFolder(place.folder, privacy: .required, isMade: true)
    try folder?.check(place.name, isPrivate: false)
    try folder?.replace(place.name, with: data, by: place.temporaryPrefix + UUID().uuidString, isDurable: true)
  }

  /// Removes the token's file or link, and the temporary files of interrupted saves. A save at the same time may fail.
  ///
  /// - Throws: a ``Failure``.
  public func clear() throws {
    let place = try place()
    // A token in a folder that can't be trusted is removed all the same.
    guard let folder = try PrivateFolder(place.folder, privacy: .ignored) else { return }
    // Removed first: a save that renamed its file after the next step would undo the sign-out.
    let interruptedSaves = Result {
      for name in try folder.names() where name.hasPrefix(place.temporaryPrefix) { try folder.remove(name) }
    }
    try folder.remove(place.name, isDurable: true)
    try interruptedSaves.get()
  }

  /// Locks the file that has the token now, which the end of the process unlocks too. A save replaces the file, so the
  /// next process that gets its lock loads the new token.
  package func lock() -> (@Sendable () -> Void)? {
    // `load` tells what is wrong with the URL.
    guard (try? place()) != nil else { return {} }
    let file = open(url.path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return {} }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    // Some file systems have no locks.
    guard flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
    // Closing isn't enough: a child process that is just being started has a copy of the descriptor.
    return { flock(handle.fileDescriptor, LOCK_UN) }
  }

  private func place() throws(Failure) -> (folder: String, name: String, temporaryPrefix: String) {
    // A NUL would cut the name in calls of the system, and another file would be opened.
    let name = url.lastPathComponent
    guard url.isFileURL, !url.hasDirectoryPath, !name.isEmpty, name != ".", name != "..", !name.contains("/"),
      !url.absoluteString.contains("%00")
    else { throw .notAFileURL }
    return (url.deletingLastPathComponent().path, name, ".\(name).new-")
  }
}

extension StoredToken {
  /// Reads what a file or the Keychain keeps; `nil` for bytes that `kept()` didn't write.
  init?(kept data: Data) {
    guard let token = try? FeatherJSONDecoder().decode(StoredToken.self, from: data), !token.apiToken.isEmpty
    else { return nil }
    self = token
  }

  /// The JSON that a file or the Keychain keeps of the token.
  func kept() throws -> Data { try JSONEncoder().encode(self) }
}
