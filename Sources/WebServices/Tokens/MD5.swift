import Foundation

/// Hashes bytes with MD5 (RFC 1321), for the digests of servers that know nothing better. It protects nothing else.
enum MD5 {
  /// Hashes bytes in memory.
  static func hash(_ content: some Collection<UInt8>) -> [UInt8] {
    func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    let bitCount = UInt64(content.count) &* 8
    // The padding ends 8 bytes before the end of a block, where the length stands (RFC 1321, sections 3.1 and 3.2).
    let zeros = (119 - content.count % 64) % 64
    let content = Array(content) + [0x80] + [UInt8](repeating: 0, count: zeros) + bytes(bitCount)
    for start in stride(from: 0, to: content.count, by: 64) { compress(content[start..<start + 64], into: &state) }
    return state.flatMap(bytes)
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    // Words are little-endian (RFC 1321, section 2).
    let words = (0..<16).map { word in
      (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + word * 4 + $1]) }
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for index in 0..<64 {
      let (mix, word): (UInt32, Int) =
        switch index / 16 {
        case 0: (b & c | ~b & d, index)
        case 1: (d & b | ~d & c, (5 * index + 1) % 16)
        case 2: (b ^ c ^ d, (3 * index + 5) % 16)
        default: (c ^ (b | ~d), 7 * index % 16)
        }
      let sum = a &+ mix &+ constants[index] &+ words[word]
      let shift = shifts[index / 16][index % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
  }

  /// The rotations of the four rounds, four each (RFC 1321, section 3.4).
  private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

  /// The integer part of 2^32 times the absolute value of the sine of 1 to 64 (RFC 1321, section 3.4).
  private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }
}
