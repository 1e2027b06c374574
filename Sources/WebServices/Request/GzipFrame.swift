import Foundation

/// What stands around deflated data in a gzip (RFC 1952, section 2.3), for systems whose compression leaves it out.
struct GzipFrame {
  private var hasBegun = false
  private var checksum = ~UInt32(0)
  private var count: UInt32 = 0

  /// The header, the first time; then nothing.
  mutating func begin() -> Data {
    guard !hasBegun else { return Data() }
    hasBegun = true
    // Method deflate; no flags, time or extra; system unknown.
    return Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
  }

  /// Counts what goes in.
  mutating func add(_ piece: Data) {
    count &+= UInt32(truncatingIfNeeded: piece.count)
    for byte in piece {
      checksum = Self.table[Int((checksum ^ UInt32(byte)) & 0xFF)] ^ (checksum >> 8)
    }
  }

  /// The checksum and the length, for behind the deflated data.
  var trailer: Data {
    Data([~checksum, count].flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } })
  }

  /// What each byte makes of the register (RFC 1952, section 8).
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }
}
