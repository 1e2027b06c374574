public import Foundation

/// Stores responses in files, up to a number of bytes. The least recently used ones are removed first. The files
/// outlive the process, and several processes may use one directory.
///
/// One file holds the responses for one URL and one identity, in a directory that only its owner can read. The name of
/// the file is a digest that reveals neither the URL nor the identity. The file holds the URL, the response with its
/// body and `Set-Cookie` fields, and no field of the request. A damaged file is removed and counts as missing. Files
/// with other names stay.
///
/// Every call reads or writes files on the caller's thread.
public final class DiskResponseStore: ResponseStore {
  /// Why a directory can't be used.
  public typealias Failure = PrivateFileError

  /// Random bytes, the same for all processes that use the directory.
  public let salt: Data
  /// The most bytes that the files take together. Processes that write at the same time may each exceed it by a
  /// sixteenth, until one of them counts again.
  package let limit: Int
  private let path: String
  /// The stamp of the last use. Its own lock, so that a look-up doesn't wait while another thread writes.
  private let lastStamp = Locked<Int64>(0)
  /// Guards the counts, and is held while files are written or removed. A look-up takes no lock, because a file is
  /// replaced as a whole.
  private let state = Locked(State())

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
  /// - Throws: ``Failure``.
  public init(directory: URL, limit: Int = 64 * 1024 * 1024) throws(Failure) {
    guard directory.isFileURL else { throw .notAFileURL }
    path = directory.path + (directory.path.hasSuffix("/") ? "" : "/") + "responses"
    self.limit = max(0, limit)
    salt = try PrivateFolder.cache(path, wantedSalt: nil).salt
  }

  /// The folder, opened anew for each call: a system that is short of room may remove it at any time.
  private var folder: PrivateFolder? { try? PrivateFolder(path, privacy: .ignored) }

  /// The responses that are stored under a key. The key then counts as used last.
  public func lookup(_ key: CacheKey) -> [CachedResponse] {
    read(CacheFileName(key, salt: salt), key: key, in: folder, stamp: nextStamp())
  }

  /// Stores a response. Removes the files whose last use is the longest ago until there is room for it.
  public func store(_ response: CachedResponse, for key: CacheKey) {
    let name = CacheFileName(key, salt: salt)
    // A large body is refused before it is copied into a file's form.
    guard response.body.count <= limit / 8 else { return remove(key) }
    // Without the lock, two variants of one key that are stored at once could each drop the other.
    state.withLock { state in
      guard let folder = folder ?? recreatedFolder() else { return }
      var variants = CachedResponse.variants(read(name, key: key, in: folder, stamp: nil), adding: response)
      var data = ResponseFile.encode(variants, keyDigest: name.keyDigest)
      // The oldest variants are last, see `CachedResponse.variants`.
      while variants.count > 1, Self.room(for: data.count) > limit / 8 {
        variants.removeLast()
        data = ResponseFile.encode(variants, keyDigest: name.keyDigest)
      }
      let room = Self.room(for: data.count)
      let former = folder.room(of: name.file)
      guard room <= limit / 8 else {
        try? folder.remove(name.file)
        state.total? -= former
        return
      }
      makeRoom(room - former, in: folder, &state)
      guard (try? folder.replace(name.file, with: data, by: PrivateFolder.temporaryName(), stamp: nextStamp())) != nil
      else { return }
      state.total? += room - former
      state.written += room
    }
  }

  /// Removes the responses that are stored under a key.
  public func remove(_ key: CacheKey) {
    let name = CacheFileName(key, salt: salt).file
    state.withLock { state in
      guard let folder else { return }
      state.total? -= folder.room(of: name)
      try? folder.remove(name)
    }
  }

  /// Removes the responses for a URL, of all identities. Reads the names of all files.
  public func removeAll(ofURL url: String) {
    removeFiles(withPrefix: CacheFileName.prefix(ofURL: url, salt: salt))
  }

  /// Removes all responses.
  public func removeAll() { removeFiles(withPrefix: "") }

  private func removeFiles(withPrefix prefix: String) {
    state.withLock { state in
      let folder = folder
      for file in folder?.cacheFiles ?? [] where file.hasPrefix(prefix) { try? folder?.remove(file) }
      // The files that are left are counted at the next `store`.
      state = State()
    }
  }

  /// Creates the folder again after the system removed it; `nil` when another process has created it with another salt.
  private func recreatedFolder() -> PrivateFolder? {
    guard let (folder, salt) = try? PrivateFolder.cache(path, wantedSalt: salt), salt == self.salt else { return nil }
    return folder
  }

  private func read(_ name: CacheFileName, key: CacheKey, in folder: PrivateFolder?, stamp: Int64?) -> [CachedResponse]
  {
    // A larger file wasn't written by this store.
    guard let data = try? folder?.content(of: name.file, limit: limit, isPrivate: false, stamp: stamp) else {
      return []
    }
    if let responses = ResponseFile.decode(data, key: key, keyDigest: name.keyDigest) { return responses }
    try? folder?.remove(name.file)
    return []
  }

  /// Removes files until there is room for this many bytes and for a tenth of the limit, so that files rarely have to
  /// be counted.
  private func makeRoom(_ bytes: Int, in folder: PrivateFolder, _ state: inout State) {
    if let total = state.total, total + bytes <= limit, state.written <= limit / 16 { return }
    let entries = folder.cacheFiles.compactMap { file in
      folder.facts(of: file).map { (file: file, room: Self.room(for: $0.size), stamp: $0.stamp) }
    }
    var total = entries.reduce(0) { $0 + $1.room }
    state.written = 0
    defer { state.total = total }
    guard total + bytes > limit else { return }
    // The name breaks a tie, so that the order is always the same.
    for entry in entries.sorted(by: { ($0.stamp, $0.file) < ($1.stamp, $1.file) }) {
      guard total + bytes > limit - limit / 10 else { break }
      try? folder.remove(entry.file)
      total -= entry.room
    }
  }

  /// Bytes in whole blocks, as file systems store them.
  static func room(for size: Int) -> Int {
    let (sum, isOver) = size.addingReportingOverflow(4095)
    return isOver ? Int.max : sum / 4096 * 4096
  }

  /// A moment later than all that were given before, in microseconds since 1970.
  private func nextStamp() -> Int64 {
    lastStamp.withLock { last in
      last = max(Int64.microsecondsNow, last + 1)
      return last
    }
  }
}

extension PrivateFolder {
  private static let saltFile = "salt"
  private static let temporarySuffix = ".partial"

  fileprivate static func temporaryName() -> String {
    RandomSalt.make().prefix(16).hexadecimal + temporarySuffix
  }

  /// Makes the folder, and reads or makes its salt.
  ///
  /// - Parameter wantedSalt: the salt to write when there is none; `nil` means random bytes.
  fileprivate static func cache(
    _ path: String, wantedSalt: Data?
  ) throws(PrivateFileError) -> (folder: PrivateFolder, salt: Data) {
    try create(path)
    guard let folder = try PrivateFolder(path, privacy: .enforced) else {
      throw .system(call: "open", path: path, code: Int(ENOENT))
    }
    for _ in 0..<4 {
      do throws(PrivateFileError) {
        let salt = try folder.content(of: saltFile, limit: RandomSalt.length, isPrivate: false)
        if let salt, salt.count == RandomSalt.length { return (folder, salt) }
        // Only a damaged salt is removed: another process may be about to make the first one.
        if salt != nil { try folder.remove(saltFile) }
      } catch {
        try? folder.remove(saltFile)
      }
      let salt = wantedSalt ?? RandomSalt.make()
      // Another process may have made a salt meanwhile, which the next turn reads.
      if try folder.create(saltFile, with: salt, by: temporaryName()) { return (folder, salt) }
    }
    throw .system(call: "link", path: "\(path)/\(saltFile)", code: Int(EBUSY))
  }

  /// The names of all stored files. Removes temporary files that are an hour old: the process that wrote them has
  /// ended.
  fileprivate var cacheFiles: [String] {
    let names = names
    let oldest = Int64.microsecondsNow - 3_600_000_000
    for name in names where name.hasSuffix(Self.temporarySuffix) {
      if let facts = facts(of: name), facts.stamp < oldest { try? remove(name) }
    }
    return names.filter(CacheFileName.isOne)
  }

  /// The room that a file takes; 0 when there is none.
  fileprivate func room(of file: String) -> Int { facts(of: file).map { DiskResponseStore.room(for: $0.size) } ?? 0 }
}

extension Int64 {
  /// Microseconds since 1970.
  fileprivate static var microsecondsNow: Int64 {
    Int64(Swift.min(Swift.max(Date().timeIntervalSince1970, 0), 1e12) * 1e6)
  }
}
