/// Names of files and identities need a one-way hash that is the same in every process. `Hasher` has a random seed.
extension SHA256 {
  /// The hash of several parts, each with its length before it: no two lists of parts look the same.
  package static func hash(ofParts parts: [[UInt8]]) -> [UInt8] {
    var hash = SHA256()
    for part in parts {
      withUnsafeBytes(of: UInt64(part.count).littleEndian) { hash.update($0) }
      hash.update(part)
    }
    return hash.finalize()
  }
}
