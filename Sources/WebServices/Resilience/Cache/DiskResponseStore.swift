public import Foundation

/// Keeps answers in files, up to a number of bytes; those that were used last stay. They outlive the process, and several
/// processes may use one directory.
///
/// One file holds what is stored for one URL and one identity, in a directory that only its owner can look into. Its name
/// is a digest: it tells neither the URL nor the identity. In it stand the URL and the answer as it came, bodies and
/// `Set-Cookie` fields included, and no field of the request. A file that is damaged means that nothing is stored, and is
/// removed; files of other names are left alone.
///
/// Every call reads or writes files on the caller's thread.
public final class DiskResponseStore: ResponseStore {
  /// Why a directory can't be used.
  public enum Failure: Error, Hashable {
    /// The URL isn't that of a file.
    case notAFileURL
    /// What the system said when the directory, or what has to be in it, was made.
    case unusable(path: String, code: POSIXErrorCode)
  }

  /// Random bytes, the same for all who use the directory.
  public let salt: Data
  /// The most bytes that the files take together. Several processes that write at once may each go above it by a
  /// sixteenth, until one of them looks.
  public let limit: Int
  private let folder: CacheFolder
  private let state: Locked<State>

  private struct State {
    /// What the files take, as far as this process knows; `nil` before it looked.
    var total: Int?
    /// Bytes written since it looked.
    var written = 0
  }

  /// Opens a directory or makes it. Nothing in it is read before it is needed.
  ///
  /// - Parameters:
  ///   - directory: where the directory `responses` is made that holds the files.
  ///   - limit: bytes; one URL's answers may take an eighth of it. A file counts in blocks of 4096 bytes.
  /// - Throws: `Failure`.
  public init(directory: URL, limit: Int = 64 * 1024 * 1024) throws {
    guard directory.isFileURL else { throw Failure.notAFileURL }
    let folder = CacheFolder(parent: directory.path)
    do {
      salt = try folder.prepare(wantedSalt: nil)
    } catch {
      throw Failure.unusable(path: folder.path, code: error.posixCode)
    }
    self.folder = folder
    self.limit = max(0, limit)
    state = Locked(State())
  }

  /// The answers that are stored under a key, which then was used last.
  public func lookup(_ key: CacheKey) -> [CachedResponse] {
    read(CacheFileName(key, salt: salt), key: key, stamp: folder.nextStamp())
  }

  /// Stores an answer, and removes those files whose last use is the longest ago as far as there is no room for it.
  public func store(_ response: CachedResponse, for key: CacheKey) {
    let name = CacheFileName(key, salt: salt)
    guard response.body.count <= limit / 8 else { return remove(key) }
    // The lock keeps two variants of one key that come at once from each forgetting the other.
    state.withLock { state in
      var variants = CachedResponse.variants(read(name, key: key, stamp: nil), adding: response)
      var data = ResponseFile.encode(variants, keyDigest: name.keyDigest)
      while variants.count > 1, CacheFolder.room(for: data.count) > limit / 8 {
        variants.removeLast()
        data = ResponseFile.encode(variants, keyDigest: name.keyDigest)
      }
      let room = CacheFolder.room(for: data.count)
      let former = folder.room(of: name.file)
      guard room <= limit / 8 else {
        folder.remove([name.file])
        state.total? -= former
        return
      }
      makeRoom(room - former, in: &state)
      guard folder.write(data, to: name.file, salt: salt) else { return }
      state.total? += room - former
      state.written += room
    }
  }

  /// Forgets what is stored under a key.
  public func remove(_ key: CacheKey) {
    let name = CacheFileName(key, salt: salt)
    state.withLock { state in
      state.total? -= folder.room(of: name.file)
      folder.remove([name.file])
    }
  }

  /// Forgets what is stored for a URL, whoever asked. It looks at the names of all files.
  public func removeAll(ofURL url: String) {
    let prefix = CacheFileName.prefix(ofURL: url, salt: salt)
    state.withLock { state in
      folder.remove(folder.files().filter { $0.hasPrefix(prefix) })
      state.total = nil
    }
  }

  /// Forgets everything.
  public func removeAll() {
    state.withLock { state in
      folder.remove(folder.files())
      state = State()
    }
  }

  private func read(_ name: CacheFileName, key: CacheKey, stamp: Int64?) -> [CachedResponse] {
    // One that is larger than a file may be isn't one of ours.
    switch folder.read(name.file, limit: limit, stamp: stamp) {
    case nil:
      return []
    case let data?:
      if let responses = ResponseFile.decode(data, key: key, keyDigest: name.keyDigest) { return responses }
      folder.remove([name.file])
      return []
    }
  }

  /// Removes files until there is room for so many bytes more, and then some, so as not to look again at once.
  private func makeRoom(_ bytes: Int, in state: inout State) {
    if let total = state.total, total + bytes <= limit, state.written <= limit / 16 { return }
    let entries = folder.entries()
    var total = entries.reduce(0) { $0 + $1.room }
    state.written = 0
    defer { state.total = total }
    guard total + bytes > limit else { return }
    var obsolete: [String] = []
    for entry in entries.sorted(by: { ($0.stamp, $0.file) < ($1.stamp, $1.file) }) {
      guard total + bytes > limit - limit / 10 else { break }
      obsolete.append(entry.file)
      total -= entry.room
    }
    folder.remove(obsolete)
  }
}
