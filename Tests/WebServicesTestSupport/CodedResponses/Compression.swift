import Foundation

/// Wraps data as gzip or zlib without making it smaller: the data is copied into stored blocks (RFC 1951, section
/// 3.2.4). A test then needs no compression library.
enum Compression {
  static func gzip(_ data: Data) -> Data {
    gzipHeader + stored(data) + littleEndian(Checksum.crc32(data))
      + littleEndian(UInt32(truncatingIfNeeded: data.count))
  }

  /// The standard form of `Content-Encoding: deflate`: deflated data with a zlib header.
  static func zlib(_ data: Data) -> Data {
    // A zlib header: deflate with a window of 32 KB (RFC 1950, section 2.2).
    Data([0x78, 0x01]) + stored(data) + littleEndian(Checksum.adler32(data).byteSwapped)
  }

  /// The form that some servers send: deflated data without a header.
  static func rawDeflate(_ data: Data) -> Data { stored(data) }

  /// So many MB of zeros, compressed to a 150th of their size: one gzip for each 2²⁰ of them.
  static func gzipOfZeros(megabytes: Int) -> Data { (0..<megabytes).reduce(Data()) { gzips, _ in gzips + megabyte } }

  /// One zero, then copies of 258 bytes at distance 1.
  private static let megabyte = {
    let count = 1 << 20
    var bits = BitWriter()
    bits.write(0b011, count: 3)  // the last block, with the fixed codes
    // The fixed codes of a zero byte, and of the length 258 with the distance 1 (RFC 1951, section 3.2.6).
    let zero = BitWriter.reversed(0b0011_0000, count: 8)
    let copy = BitWriter.reversed(0b1100_0101_00000, count: 13)
    bits.write(zero, count: 8)
    for _ in 0..<((count - 1) / 258) { bits.write(copy, count: 13) }
    for _ in 0..<((count - 1) % 258) { bits.write(zero, count: 8) }
    // The code of the end of the block.
    bits.write(0, count: 7)
    return gzipHeader + bits.finish() + littleEndian(Checksum.crc32(Data(count: count))) + littleEndian(UInt32(count))
  }()

  /// Magic number, deflate, no flags, no time, an unknown system (RFC 1952, section 2.3).
  private static let gzipHeader = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])

  /// The data, split into stored blocks.
  private static func stored(_ data: Data) -> Data {
    var result = Data()
    var rest = data[...]
    repeat {
      // The length field of a stored block has 16 bits.
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(65_535)
      let length = UInt16(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      for value in [length, ~length] {
        result.append(UInt8(truncatingIfNeeded: value))
        result.append(UInt8(truncatingIfNeeded: value >> 8))
      }
      result.append(block)
    } while !rest.isEmpty
    return result
  }

  private static func littleEndian(_ value: UInt32) -> Data {
    Data((0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) })
  }
}

/// Writes bits, starting with the lowest bit of each byte.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var buffer: UInt64 = 0
  private var filled: UInt64 = 0

  mutating func write(_ value: UInt64, count: UInt64) {
    buffer |= value << filled
    filled += count
    while filled >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: buffer))
      buffer >>= 8
      filled -= 8
    }
  }

  mutating func finish() -> Data {
    if filled > 0 { bytes.append(UInt8(truncatingIfNeeded: buffer)) }
    return Data(bytes)
  }

  /// Reverses a Huffman code, because such codes are written from their highest bit on.
  static func reversed(_ value: UInt64, count: UInt64) -> UInt64 {
    (0..<count).reduce(0) { $0 | ((value >> $1) & 1) << (count - 1 - $1) }
  }
}

private enum Checksum {
  static func adler32(_ data: Data) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in data {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  static func crc32(_ data: Data) -> UInt32 {
    var register = ~UInt32(0)
    for byte in data {
      register ^= UInt32(byte)
      for _ in 0..<8 { register = register >> 1 ^ (register & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~register
  }
}
