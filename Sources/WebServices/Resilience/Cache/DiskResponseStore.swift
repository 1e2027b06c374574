public import Foundation

/// Stores responses in files, up to a number of bytes. The least recently used files are removed first. The files
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

  /// Random bytes for the digests in file names. All processes that use the directory share the salt.
  public let salt: Data
  /// The most bytes that all files take. Each process counts again after it has written a sixteenth of the limit, so
  /// several processes may exceed the limit by as much each.
  package let limit: Int
  private let path: String
  /// Guards the counts, and is held while files are written or removed. A look-up takes no lock, because a file is
  /// replaced as a whole.
  private let state = Locked(State())

  private struct State {
    /// The bytes that the files take, without the later writes of other processes; `nil` before the first count.
    var total: Int?
    /// The bytes that this process has written since its last count.
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

  /// The folder. Each call opens it again, because a system that is short of space may remove it at any time.
  private var folder: PrivateFolder? { try? PrivateFolder(path, privacy: .ignored) }

  /// Returns the responses for a key, and marks the key as the most recently used.
  public func lookup(_ key: CacheKey) -> [CachedResponse] {
    read(CacheFileName(key, salt: salt).file, of: key, in: folder, stamp: .microsecondsNow)
  }

  /// Stores a response. Removes the least recently used files until the response fits.
  ///
  /// - Parameters:
  ///   - response: the response to store. If it takes more than an eighth of the limit, it isn't stored, and the key's
  ///     former responses are removed.
  ///   - key: the key of the response's request.
  public func store(_ response: CachedResponse, for key: CacheKey) {
    let name = CacheFileName(key, salt: salt).file
    // `cost` is no less than the bytes in the file.
    guard response.cost <= limit / 8 else { return remove(key) }
    // Without the lock, two threads could store variants of one key at once, and one variant would be lost.
    state.withLock { state in
      guard let folder = folder ?? recreatedFolder() else { return }
      let stored = read(name, of: key, in: folder, stamp: nil)
      let data = ResponseFile.encode(CachedResponse.variants(stored, adding: response, costLimit: limit / 8))
      let room = Self.room(for: data.count)
      let former = folder.room(of: name)
      makeRoom(room - former, in: folder, &state)
      guard (try? folder.replace(name, with: data, by: PrivateFolder.temporaryName(), stamp: .microsecondsNow)) != nil
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
  ///
  /// - Parameter url: the URL as ``CacheKey/url`` has it.
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

  private func read(_ name: String, of key: CacheKey, in folder: PrivateFolder?, stamp: Int64?) -> [CachedResponse] {
    // A larger file wasn't written by this store.
    guard let data = try? folder?.content(of: name, limit: limit, isPrivate: false, stamp: stamp) else {
      return []
    }
    if let responses = ResponseFile.decode(data, identity: key.identity) { return responses }
    try? folder?.remove(name)
    return []
  }

  /// Removes files until these bytes fit and a tenth of the limit is free. The free tenth makes counts rare.
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

  /// Rounds a size up to whole blocks of 4096 bytes, as file systems store it.
  static func room(for size: Int) -> Int {
    let (sum, isOver) = size.addingReportingOverflow(4095)
    return isOver ? Int.max : sum / 4096 * 4096
  }
}

extension PrivateFolder {
  private static let saltFile = "salt"
  private static let temporarySuffix = ".partial"

  fileprivate static func temporaryName() -> String {
    RandomSalt.make().prefix(16).hexadecimal + temporarySuffix
  }

  /// Creates the folder unless it exists, and reads or creates its salt.
  ///
  /// - Parameter wantedSalt: the salt to write if the folder has none; `nil` writes random bytes.
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
        // A missing salt isn't an error: another process may be about to write it. Only a damaged salt is removed.
        if salt != nil { try folder.remove(saltFile) }
      } catch {
        try? folder.remove(saltFile)
      }
      let salt = wantedSalt ?? RandomSalt.make()
      // Creating fails if another process has written a salt meanwhile. The next turn reads that salt.
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

  /// The space that a file takes in bytes; 0 if the file doesn't exist.
  fileprivate func room(of file: String) -> Int { facts(of: file).map { DiskResponseStore.room(for: $0.size) } ?? 0 }
}

extension Int64 {
  /// Microseconds since 1970.
  fileprivate static var microsecondsNow: Int64 {
    Int64(Swift.min(Swift.max(Date().timeIntervalSince1970, 0), 1e12) * 1e6)
  }
}
