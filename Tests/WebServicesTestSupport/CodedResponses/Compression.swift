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

  /// So many MB of zeros, compressed to a thousandth of their size: one gzip for each 2²⁰ of them.
  static func gzipOfZeros(megabytes: Int) -> Data { (0..<megabytes).reduce(Data()) { gzips, _ in gzips + megabyte } }

  /// The block that zlib writes for 2²⁰ zeros. Each copy of 258 zeros takes two bits, which are 0.
  private static let megabyte: Data = {
    let codes: [UInt8] = [0xED, 0xC1, 0x31, 1, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x08, 0x5F, 0xA0]
    return gzipHeader + codes + Data(count: 1016) + [0x3E, 3] + littleEndian(0xA738_EA1C) + littleEndian(1 << 20)
  }()

  /// Magic number, deflate, no flags, no time, an unknown system (RFC 1952, section 2.3).
  private static let gzipHeader = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])

  /// The data, split into stored blocks, whose length fields have 16 bits.
  private static func stored(_ data: Data) -> Data {
    let starts = Array(stride(from: 0, to: max(1, data.count), by: 65_535))
    return starts.reduce(into: Data()) { result, start in
      let block = data.dropFirst(start).prefix(65_535)
      let length = UInt32(block.count)
      result += [start == starts.last ? 1 : 0] + littleEndian(length | ~length << 16) + block
    }
  }

  private static func littleEndian(_ value: UInt32) -> Data {
    Data((0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) })
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
