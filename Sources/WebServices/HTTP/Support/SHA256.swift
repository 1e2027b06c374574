import Foundation

/// Computes SHA-256 (FIPS 180-4, section 6.2) in plain Swift, because the library has no dependency. Call `hash(_:)`,
/// or `update(_:)` for each piece and then `finalize()`.
package struct SHA256 {
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
    byteCount &+= UInt64(bytes.count)
    rest += bytes
    guard rest.count >= Self.blockSize else { return }
    let content = rest
    let end = content.count / Self.blockSize * Self.blockSize
    for start in stride(from: 0, to: end, by: Self.blockSize) { compress(content, from: start) }
    rest = Array(content[end...])
  }

  /// The hash of all bytes that were added.
  package consuming func finalize() -> [UInt8] {
    let bitCount = withUnsafeBytes(of: (byteCount &* 8).bigEndian) { Array($0) }
    // The padding is a byte 0x80, zeros and the length in eight bytes, up to the end of a block (FIPS 180-4, section
    // 5.1.1).
    let zeros = (Self.blockSize * 2 - 9 - rest.count) % Self.blockSize
    update([0x80] + [UInt8](repeating: 0, count: zeros) + bitCount)
    return (0..<32).map { [state] in UInt8(truncatingIfNeeded: state[$0 / 4] >> (24 - $0 % 4 * 8)) }
  }

  private mutating func compress(_ bytes: [UInt8], from start: Int) {
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

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2).
  private static let constants = (2...311).filter { number in (2..<number).allSatisfy { number % $0 != 0 } }.map {
    UInt32(cbrt(Double($0)).truncatingRemainder(dividingBy: 1) * 0x1p32)
  }

  // Names of files and identities need a one-way hash that is the same in every process. `Hasher` has a random seed.

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

extension Sequence where Element == UInt8 {
  /// Two hexadecimal digits for each byte, in lower case.
  package var hexadecimal: String {
    // An array, because each step of an unspecialized sequence looks types up.
    let (bytes, digits) = (Array(self), Array("0123456789abcdef".utf8))
    return String(
      decoding: (0..<bytes.count * 2).map { digits[Int(bytes[$0 / 2] >> ($0 % 2 == 0 ? 4 : 0) & 0xF)] }, as: UTF8.self)
  }
}
