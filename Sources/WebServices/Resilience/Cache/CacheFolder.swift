import Foundation

/// The name of the file for a key.
struct CacheFileName {
  /// 32 hexadecimal digits for the URL, a hyphen, 32 for the identity and the virtual host.
  let file: String
  /// The whole digest of the key, which the file contains too.
  let keyDigest: [UInt8]

  init(_ key: CacheKey, salt: Data) {
    let identity: [UInt8] = key.identity.map { [1] + Array($0.digest.utf8) } ?? [0]
    let host: [[UInt8]] = key.host.map { [Array($0.utf8)] } ?? []
    let owner = SHA256Digest.digest(ofParts: [Array("identity".utf8), Array(salt), identity] + host)
    file = Self.prefix(ofURL: key.url, salt: salt) + SHA256Digest.hexadecimal(owner.prefix(16))
    keyDigest = SHA256Digest.digest(ofParts: [Array("key".utf8), Array(salt), Array(key.url.utf8), identity] + host)
  }

  /// The beginning of the names of all files of a URL.
  static func prefix(ofURL url: String, salt: Data) -> String {
    let digest = SHA256Digest.digest(ofParts: [Array("url".utf8), Array(salt), Array(url.utf8)])
    return SHA256Digest.hexadecimal(digest.prefix(16)) + "-"
  }

  /// Whether the name is the name of a stored file.
  static func isOne(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard bytes.count == 65, bytes[32] == UInt8(ascii: "-") else { return false }
    return (bytes[..<32] + bytes[33...]).allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }
}

/// The folder of a store on disk. Every method opens it anew: a system that is short of room may remove it at any time.
final class CacheFolder: Sendable {
  let path: String
  private let lastStamp = Locked<Int64>(0)

  private static let saltFile = "salt"
  private static let temporarySuffix = ".partial"
  /// After so many microseconds, the process that was writing a temporary file has ended.
  private static let temporaryLifetime: Int64 = 3_600_000_000

  init(parent: String) {
    path = parent + (parent.hasSuffix("/") ? "" : "/") + "responses"
  }

  /// Makes the folder, and reads or makes its salt.
  ///
  /// - Parameter wantedSalt: the salt to write when there is none; `nil` means random bytes.
  func prepare(wantedSalt: Data?) throws(PrivateFileError) -> Data {
    try PrivateFolder.create(path)
    guard let folder = try PrivateFolder(path, privacy: .enforced) else {
      throw .system(call: "open", path: path, code: Int(ENOENT))
    }
    for _ in 0..<4 {
      do throws(PrivateFileError) {
        let salt = try folder.content(of: Self.saltFile, limit: RandomSalt.length, isPrivate: false)
        if let salt, salt.count == RandomSalt.length { return salt }
        if salt != nil { try? folder.remove(Self.saltFile) }
      } catch {
        try? folder.remove(Self.saltFile)
      }
      let salt = wantedSalt ?? RandomSalt.make()
      // Another process may have made a salt meanwhile, which the next turn reads.
      if try folder.create(Self.saltFile, with: salt, by: Self.temporaryName()) { return salt }
    }
    throw .system(call: "link", path: "\(path)/\(Self.saltFile)", code: Int(EBUSY))
  }

  func read(_ file: String, limit: Int, stamp: Int64?) -> Data? {
    try? folder?.content(of: file, limit: limit, isPrivate: false, stamp: stamp)
  }

  /// - Returns: whether the file is written.
  func write(_ data: Data, to file: String, salt: Data) -> Bool {
    guard let folder = folder ?? ((try? prepare(wantedSalt: salt)) == salt ? folder : nil) else { return false }
    return (try? folder.replace(file, with: data, by: Self.temporaryName(), stamp: nextStamp())) != nil
  }

  func remove(_ files: [String]) {
    let folder = folder
    for file in files { try? folder?.remove(file) }
  }

  /// The names of all stored files. Removes temporary files of processes that have ended.
  func files() -> [String] { folder.map(files(in:)) ?? [] }

  /// The stored files, with the room that each takes and when it was used.
  func entries() -> [(file: String, room: Int, stamp: Int64)] {
    guard let folder else { return [] }
    return files(in: folder).compactMap { file in
      folder.facts(of: file).map { (file, Self.room(for: $0.size), $0.stamp) }
    }
  }

  private func files(in folder: PrivateFolder) -> [String] {
    let names = folder.names
    let oldest = Self.microseconds() - Self.temporaryLifetime
    for name in names where name.hasSuffix(Self.temporarySuffix) {
      if let facts = folder.facts(of: name), facts.stamp < oldest { try? folder.remove(name) }
    }
    return names.filter(CacheFileName.isOne)
  }

  /// The room that a file takes; 0 when there is none.
  func room(of file: String) -> Int { folder?.facts(of: file).map { Self.room(for: $0.size) } ?? 0 }

  /// Bytes in whole blocks, as file systems store them.
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

  private var folder: PrivateFolder? { try? PrivateFolder(path, privacy: .ignored) }

  private static func temporaryName() -> String {
    SHA256Digest.hexadecimal(RandomSalt.make().prefix(16)) + temporarySuffix
  }

  private static func microseconds() -> Int64 {
    let seconds = Date().timeIntervalSince1970
    return Int64(min(max(seconds, 0), 1e12) * 1e6)
  }
}

extension PrivateFileError {
  /// The error of the system, or the one that it would have for the same reason.
  var posixCode: POSIXErrorCode {
    switch self {
    case .system(_, _, let code): POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: code)) ?? .EIO
    case .notAFileURL, .symbolicLink, .wrongType, .damaged: .ENOTDIR
    case .otherOwner: .EPERM
    case .tooOpen: .EACCES
    }
  }
}
