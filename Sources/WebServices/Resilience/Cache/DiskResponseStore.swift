package import Foundation

/// Stores responses in files, up to a number of bytes. The files outlive the process, and several processes may use one
/// directory.
///
/// One file holds the responses for one URL and one identity, in a directory that only its owner can read. The name of
/// the file is a digest of both. A file that is being written has a longer name, and is removed with the others if its
/// process was killed. A damaged file is removed and counts as missing. Files with other names stay.
package final class DiskResponseStore: ResponseStore {
  private static let temporarySuffix = ".partial"

  /// The most bytes that all files take. Each process counts again after it has written a sixteenth of the limit, so
  /// several processes may exceed the limit by as much each.
  private let limit: Int
  /// The place of the folder. Each call opens it again, because a system that is short of space may remove it at any
  /// time.
  private let path: String
  /// The wall clock.
  private let now: @Sendable () -> Date
  /// The bytes that may be written before the files are counted again. The lock is held while files are written. A
  /// look-up takes no lock, because a file is replaced as a whole.
  private let credit = Locked(0)
  /// Whether a file couldn't be replaced or removed. The file may be out of date, so this store reads no file until the
  /// next change has removed all of them.
  private let isDistrusted = Locked(false)

  package init(
    directory: URL, limit: Int = 64 * 1024 * 1024, now: @escaping @Sendable () -> Date = { Date() }
  ) throws(PrivateFileError) {
    guard directory.isFileURL else { throw .notAFileURL }
    path = directory.path + "/responses"
    self.limit = limit
    self.now = now
    _ = try PrivateFolder(path, privacy: .enforced, isMade: true)
  }

  package var isImmediate: Bool { false }

  package func lookup(_ key: CacheKey) -> [CachedResponse] {
    isDistrusted.withLock { $0 } ? [] : read(key, in: try? PrivateFolder(path, privacy: .ignored), stamp: stamp)
  }

  package func store(_ response: CachedResponse, for key: CacheKey) {
    // The lock is held throughout: two threads could otherwise store variants of one key, and one would be lost.
    changeFiles(privacy: .enforced) { folder, credit in
      let stored = read(key, in: folder, stamp: nil)
      let variants = CachedResponse.variants(stored, adding: response, costLimit: limit / 8)
      guard !variants.isEmpty, let data = ResponseFile.encode(variants) else { return remove(key.file, in: folder) }
      let room = Self.room(for: data.count)
      if room > credit { credit = makeRoom(room, in: folder) }
      credit -= room
      let name = "\(key.file).\(UUID())" + Self.temporarySuffix
      // The older response is out of date, so it doesn't stay.
      do { try folder.replace(key.file, with: data, by: name, stamp: stamp) } catch { remove(key.file, in: folder) }
    }
  }

  package func remove(_ key: CacheKey) { changeFiles { folder, _ in remove(key.file, in: folder) } }

  package func removeAll(ofURL url: String) { removeFiles(named: CacheKey.filePrefix(of: url)) }

  package func removeAll() { removeFiles(named: "") }

  /// Removes the files whose names begin so. Reads the names of all files.
  private func removeFiles(named prefix: String) {
    changeFiles { folder, _ in try files(in: folder, prefix: prefix).forEach { remove($0, in: folder) } }
  }

  /// Changes files, or distrusts all of them if the folder can't be opened or read: some are out of date then.
  ///
  /// - Parameter privacy: `.enforced` makes a folder that is missing.
  private func changeFiles(
    privacy: PrivateFolder.Privacy = .ignored, _ change: (PrivateFolder, _ credit: inout Int) throws -> Void
  ) {
    credit.withLock { credit in
      do {
        guard let folder = try PrivateFolder(path, privacy: privacy, isMade: privacy == .enforced) else { return }
        if isDistrusted.withLock({ $0 }) { try files(in: folder).forEach { try folder.remove($0) } }
        isDistrusted.withLock { $0 = false }
        try change(folder, &credit)
      } catch { isDistrusted.withLock { $0 = true } }
    }
  }

  private func remove(_ file: String, in folder: PrivateFolder) {
    if (try? folder.remove(file)) == nil, folder.facts(of: file)?.isFile == true { isDistrusted.withLock { $0 = true } }
  }

  private func read(_ key: CacheKey, in folder: PrivateFolder?, stamp: Int64?) -> [CachedResponse] {
    // A larger file wasn't written by this store.
    guard let data = try? folder?.content(of: key.file, limit: limit, isPrivate: false, stamp: stamp) else { return [] }
    if let responses = ResponseFile.decode(data) { return responses }
    try? folder?.remove(key.file)
    return []
  }

  /// Removes files if these bytes don't fit, until they fit and a tenth of the limit is free. The free tenth makes
  /// counts rare.
  ///
  /// - Returns: the bytes that may be written before the next count.
  private func makeRoom(_ bytes: Int, in folder: PrivateFolder) -> Int {
    // A file of the future, from before the clock was set back, is removed first. It would stay for ever, while each
    // new file is removed in its place.
    let entries = ((try? files(in: folder)) ?? []).compactMap { file -> (file: String, room: Int, stamp: Int64)? in
      guard let facts = folder.facts(of: file), facts.isFile else { return nil }
      return (file, Self.room(for: facts.size), facts.stamp > stamp ? 0 : facts.stamp)
    }
    var total = entries.reduce(0) { $0 + $1.room }
    if total + bytes > limit {
      // The name breaks a tie, so that the order is always the same.
      for entry in entries.sorted(by: { ($0.stamp, $0.file) < ($1.stamp, $1.file) }) {
        guard total + bytes > limit - limit / 10 else { break }
        try? folder.remove(entry.file)
        total -= entry.room
      }
    }
    return min(limit - total, limit / 16)
  }

  /// The names of the store's files that begin so, temporary ones included.
  private func files(in folder: PrivateFolder, prefix: String = "") throws -> [String] {
    try folder.names().filter {
      // The bytes are looked at: each request that changes something reads all names.
      $0.hasPrefix(prefix) && $0.utf8.dropFirst(32).first == UInt8(ascii: "-")
        && ($0.utf8.count == 65 || $0.hasSuffix(Self.temporarySuffix))
    }
  }

  /// Microseconds since 1970.
  private var stamp: Int64 { Int64(min(max(now().timeIntervalSince1970, 0), 1e12) * 1e6) }

  /// Rounds a size up to whole blocks of 4096 bytes, as file systems store it.
  static func room(for size: Int) -> Int { (min(size, Int.max - 4095) + 4095) / 4096 * 4096 }
}

extension CacheKey {
  /// The beginning of the names of all files of a URL: 32 hexadecimal digits and a hyphen.
  static func filePrefix(of url: String) -> String { SHA256.hash(url.utf8).prefix(16).hexadecimal + "-" }

  /// The name of the file: the prefix, and 32 digits for the identity.
  fileprivate var file: String {
    Self.filePrefix(of: url) + String((identity ?? String(repeating: "0", count: 32)).prefix(32))
  }
}
