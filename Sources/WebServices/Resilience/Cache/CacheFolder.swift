import Foundation

/// The names that a key has on disk.
struct CacheFileName {
  /// 32 hexadecimal digits for the URL, a hyphen, 32 for the identity and the virtual host.
  let file: String
  /// The whole digest of the key, which the file repeats.
  let keyDigest: [UInt8]

  init(_ key: CacheKey, salt: Data) {
    let identity: [UInt8] = key.identity.map { [1] + Array($0.digest.utf8) } ?? [0]
    let host: [[UInt8]] = key.host.map { [Array($0.utf8)] } ?? []
    let owner = SHA256Digest.digest(ofParts: [Array("identity".utf8), Array(salt), identity] + host)
    file = Self.prefix(ofURL: key.url, salt: salt) + SHA256Digest.hexadecimal(owner.prefix(16))
    keyDigest = SHA256Digest.digest(ofParts: [Array("key".utf8), Array(salt), Array(key.url.utf8), identity] + host)
  }

  /// What the names of all files of a URL begin with.
  static func prefix(ofURL url: String, salt: Data) -> String {
    let digest = SHA256Digest.digest(ofParts: [Array("url".utf8), Array(salt), Array(url.utf8)])
    return SHA256Digest.hexadecimal(digest.prefix(16)) + "-"
  }

  /// Whether a file's name is one of ours.
  static func isOne(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard bytes.count == 65, bytes[32] == UInt8(ascii: "-") else { return false }
    return (bytes[..<32] + bytes[33...]).allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }
}

/// The directory of a store on disk, and what may be in it. It holds no opinion on what is stored.
final class CacheFolder: Sendable {
  let path: String
  private let lastStamp = Locked<Int64>(0)

  private static let saltFile = "salt"
  private static let temporarySuffix = ".partial"
  /// A file that is being written for longer than this was left by a process that ended, in microseconds.
  private static let temporaryLifetime: Int64 = 3_600_000_000

  init(parent: String) {
    path = parent + (parent.hasSuffix("/") ? "" : "/") + "responses"
  }

  /// Makes the directory, and reads or makes its salt.
  ///
  /// - Parameter wantedSalt: the salt to have where there is none; a new one without.
  func prepare(wantedSalt: Data?) throws(POSIXError) -> Data {
    let parent = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try CacheFiles.makePrivateDirectory(path)
    let saltPath = full(Self.saltFile)
    for _ in 0..<4 {
      let wasThere = CacheFiles.facts(of: saltPath) != nil
      if let salt = CacheFiles.contents(of: saltPath, limit: RandomSalt.length), salt.count == RandomSalt.length {
        return salt
      }
      // A damaged salt is of no use to anybody. A salt that another process made since is read in the next turn.
      if wasThere { CacheFiles.remove(saltPath) }
      let salt = wantedSalt ?? RandomSalt.make()
      if try CacheFiles.createExclusively(saltPath, with: salt, by: full(Self.temporaryName())) { return salt }
    }
    throw POSIXError(.EBUSY)
  }

  func read(_ file: String, limit: Int, stamp: Int64?) -> Data? {
    CacheFiles.contents(of: full(file), limit: limit, stamp: stamp)
  }

  /// - Returns: whether it is written.
  func write(_ data: Data, to file: String, salt: Data) -> Bool {
    do {
      try CacheFiles.write(data, to: full(file), by: full(Self.temporaryName()), stamp: nextStamp())
      return true
    } catch {
      // A system that is short of room removes such directories at any time.
      guard error.code == .ENOENT, (try? prepare(wantedSalt: salt)) == salt else { return false }
      return (try? CacheFiles.write(data, to: full(file), by: full(Self.temporaryName()), stamp: nextStamp())) != nil
    }
  }

  func remove(_ file: String) {
    CacheFiles.remove(full(file))
  }

  /// The names of all that is stored. Files that were left half written are removed on the way.
  func files() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let now = Self.microseconds()
    for name in names where name.hasSuffix(Self.temporarySuffix) {
      guard let facts = CacheFiles.facts(of: full(name)), now - facts.stamp > Self.temporaryLifetime else { continue }
      remove(name)
    }
    return names.filter(CacheFileName.isOne)
  }

  /// What is stored, with the room that each file takes and when it was used.
  func entries() -> [(file: String, room: Int, stamp: Int64)] {
    files().compactMap { file in
      CacheFiles.facts(of: full(file)).map { (file, Self.room(for: $0.size), $0.stamp) }
    }
  }

  /// The room that a file takes; 0 where there is none.
  func room(of file: String) -> Int {
    CacheFiles.facts(of: full(file)).map { Self.room(for: $0.size) } ?? 0
  }

  /// Bytes in whole blocks, as a file system has them.
  static func room(for size: Int) -> Int {
    let (sum, isOver) = size.addingReportingOverflow(4095)
    return isOver ? Int.max : sum / 4096 * 4096
  }

  /// A moment later than all that were given before, in microseconds since 1970.
  func nextStamp() -> Int64 {
    let now = Self.microseconds()
    return lastStamp.withLock { last in
      last = max(now, last + 1)
      return last
    }
  }

  private func full(_ file: String) -> String { "\(path)/\(file)" }

  private static func temporaryName() -> String {
    SHA256Digest.hexadecimal(RandomSalt.make().prefix(16)) + temporarySuffix
  }

  private static func microseconds() -> Int64 {
    let seconds = Date().timeIntervalSince1970
    return Int64(min(max(seconds, 0), 1e12) * 1e6)
  }
}
