/// Computes SHA-256 (FIPS 180-4, section 6.2) in plain Swift, because the library has no dependency. Call `hash(_:)`,
/// or `update(_:)` for each piece and then `finalize()`.
package struct SHA256 {
  /// The number of bytes of a hash.
  package static let count = 32
  package static let blockSize = 64

  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The bytes of the block that isn't full yet.
  private var rest: [UInt8] = []
  private var byteCount: UInt64 = 0
  private var words = [UInt32](repeating: 0, count: 64)

  package init() {}

  /// Hashes bytes in memory.
  package static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Adds bytes. A long content can be added in pieces.
  package mutating func update(_ bytes: some Collection<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ add($0) }) == nil { Array(bytes).withUnsafeBufferPointer { add($0) } }
  }

  /// The hash of all bytes that were added.
  package consuming func finalize() -> [UInt8] {
    let bitCount = byteCount &* 8
    // The padding is a byte 0x80, zeros and the length in eight bytes, up to the end of a block (FIPS 180-4, section
    // 5.1.1).
    let zeros = (Self.blockSize * 2 - 9 - rest.count) % Self.blockSize
    update([0x80] + [UInt8](repeating: 0, count: zeros) + bitCount.bigEndianBytes)
    return state.flatMap(\.bigEndianBytes)
  }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    byteCount &+= UInt64(bytes.count)
    var start = 0
    if !rest.isEmpty {
      start = min(Self.blockSize - rest.count, bytes.count)
      rest += bytes[..<start]
      guard rest.count == Self.blockSize else { return }
      rest.withUnsafeBufferPointer { compress($0, from: 0) }
      rest = []
    }
    while bytes.count - start >= Self.blockSize {
      compress(bytes, from: start)
      start += Self.blockSize
    }
    rest += bytes[start...]
  }

  private mutating func compress(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    for index in 0..<16 { words[index] = (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[start + index * 4 + $1]) } }
    for index in 16..<64 {
      let (second, fifteenth) = (words[index - 2], words[index - 15])
      let sigma0 = fifteenth.rotated(7) ^ fifteenth.rotated(18) ^ fifteenth >> 3
      let sigma1 = second.rotated(17) ^ second.rotated(19) ^ second >> 10
      words[index] = words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let first = h &+ sum1 &+ (e & f ^ ~e & g) &+ Self.constants[index] &+ words[index]
      let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      let second = sum0 &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

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

extension UInt32 {
  /// The bits rotated to the right.
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}

extension FixedWidthInteger {
  fileprivate var bigEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }
}

extension Sequence where Element == UInt8 {
  /// Two hexadecimal digits for each byte, in lower case.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
  }
}
