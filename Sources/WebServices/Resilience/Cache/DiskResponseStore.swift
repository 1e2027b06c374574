public import Foundation

/// Keeps responses in files, up to a number of bytes. Responses that were used last stay. They outlive the process, and
/// several processes may use one directory.
///
/// One file holds the responses for one URL and one identity, in a directory that only its owner can look into. The name
/// of the file is a digest that tells neither the URL nor the identity. The file holds the URL and the response as it
/// came, with its body and `Set-Cookie` fields. It holds no field of the request. A damaged file is removed and counts as
/// missing. Files with other names stay.
///
/// Every call reads or writes files on the caller's thread.
public final class DiskResponseStore: ResponseStore {
  /// Why a directory can't be used.
  public enum Failure: Error, Hashable {
    /// The URL isn't that of a file.
    case notAFileURL
    /// The system's error when the directory or a file in it was made.
    case unusable(path: String, code: POSIXErrorCode)
  }

  /// Random bytes, the same for all processes that use the directory.
  public let salt: Data
  /// The most bytes that the files take together. Processes that write at the same time may each exceed it by a sixteenth,
  /// until one of them counts again.
  package let limit: Int
  private let folder: CacheFolder
  private let state: Locked<State>

  private struct State {
    /// The bytes that the files take, as far as this process knows; `nil` before it has counted.
    var total: Int?
    /// The bytes written since this process has counted.
    var written = 0
  }

  /// Opens or creates a directory. Its files are read when they are needed.
  ///
  /// - Parameters:
  ///   - directory: the place of the directory `responses`, which holds the files.
  ///   - limit: bytes; the responses of one URL may take an eighth of it. A file counts in blocks of 4096 bytes.
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

  /// The responses that are stored under a key. The key then counts as used last.
  public func lookup(_ key: CacheKey) -> [CachedResponse] {
    read(CacheFileName(key, salt: salt), key: key, stamp: folder.nextStamp())
  }

  /// Stores a response. Removes the files whose last use is the longest ago until there is room for it.
  public func store(_ response: CachedResponse, for key: CacheKey) {
    let name = CacheFileName(key, salt: salt)
    guard response.body.count <= limit / 8 else { return remove(key) }
    // Without the lock, two variants of one key that are stored at once could each drop the other.
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

  /// Removes the responses that are stored under a key.
  public func remove(_ key: CacheKey) {
    let name = CacheFileName(key, salt: salt)
    state.withLock { state in
      state.total? -= folder.room(of: name.file)
      folder.remove([name.file])
    }
  }

  /// Removes the responses for a URL, of all identities. Reads the names of all files.
  public func removeAll(ofURL url: String) {
    let prefix = CacheFileName.prefix(ofURL: url, salt: salt)
    state.withLock { state in
      folder.remove(folder.files().filter { $0.hasPrefix(prefix) })
      state.total = nil
    }
  }

  /// Removes all responses.
  public func removeAll() {
    state.withLock { state in
      folder.remove(folder.files())
      state = State()
    }
  }

  private func read(_ name: CacheFileName, key: CacheKey, stamp: Int64?) -> [CachedResponse] {
    // A larger file wasn't written by this store.
    switch folder.read(name.file, limit: limit, stamp: stamp) {
    case nil:
      return []
    case let data?:
      if let responses = ResponseFile.decode(data, key: key, keyDigest: name.keyDigest) { return responses }
      folder.remove([name.file])
      return []
    }
  }

  /// Removes files until there is room for so many bytes more and for a tenth of the limit, which makes counting rare.
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
