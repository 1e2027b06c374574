import Foundation

/// The form in which the answers of one key are stored in a file.
///
/// A head of 24 bytes: the letters `FRWC`, the version, the length of what follows the head, and a checksum. Then a
/// digest of the key, so that a file that was renamed is nobody's, and the answers one behind the other. All numbers are
/// little-endian. What doesn't fit together to the last bit is no answer.
enum ResponseFile {
  static let headLength = 24
  private static let magic = Data("FRWC".utf8)
  /// Files of version 1 may hold the responses of several virtual hosts under one key.
  private static let version: UInt32 = 2

  static func encode(_ responses: [CachedResponse], keyDigest: [UInt8]) -> Data {
    var payload = ByteWriter()
    payload.data.append(contentsOf: keyDigest)
    payload.write(UInt32(truncatingIfNeeded: responses.count))
    responses.forEach { encode($0, to: &payload) }
    var file = ByteWriter()
    file.data.reserveCapacity(headLength + payload.data.count)
    file.data.append(magic)
    file.write(version)
    file.write(UInt64(payload.data.count))
    file.write(checksum(of: payload.data))
    file.data.append(payload.data)
    return file.data
  }

  /// - Returns: the answers, or `nil` where the data is damaged, of another version or of another key.
  static func decode(_ data: Data, key: CacheKey, keyDigest: [UInt8]) -> [CachedResponse]? {
    var reader = ByteReader(data)
    guard reader.takeBytes(magic.count) == magic, reader.takeNumber(UInt32.self) == version,
      let length = reader.takeNumber(UInt64.self), let sum = reader.takeNumber(UInt64.self),
      length == UInt64(reader.remaining), sum == checksum(of: data.dropFirst(headLength)),
      reader.takeBytes(keyDigest.count) == Data(keyDigest), let count = reader.takeNumber(UInt32.self)
    else { return nil }
    var responses: [CachedResponse] = []
    for _ in 0..<count {
      guard let response = decode(from: &reader, identity: key.identity) else { return nil }
      responses.append(response)
    }
    return reader.remaining == 0 ? responses : nil
  }

  /// Tells damage, not malice: a change of any one byte changes it. Each step can be undone, so what differs once stays
  /// different.
  static func checksum(of data: Data) -> UInt64 {
    data.withUnsafeBytes { bytes in
      var sum = UInt64(bytes.count) ^ 0xCBF2_9CE4_8422_2325
      var offset = 0
      while offset + 8 <= bytes.count {
        sum.mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset += 8
      }
      while offset < bytes.count {
        sum.mix(UInt64(bytes[offset]))
        offset += 1
      }
      return sum
    }
  }

  private static func encode(_ response: CachedResponse, to writer: inout ByteWriter) {
    writer.write(UInt8((response.method == .head ? 1 : 0) + (response.isDecoded ? 2 : 0)))
    writer.write(UInt16(truncatingIfNeeded: response.statusCode))
    writer.write(response.requestTime)
    writer.write(response.responseTime)
    writer.write(response.url.absoluteString)
    writer.write(Data(response.variant))
    writer.write(UInt32(truncatingIfNeeded: response.headers.count))
    for field in response.headers {
      writer.write(field.name)
      writer.write(field.value)
    }
    writer.write(response.body)
  }

  private static func decode(from reader: inout ByteReader, identity: CacheIdentity?) -> CachedResponse? {
    guard let kind = reader.takeNumber(UInt8.self), kind <= 3,
      let statusCode = reader.takeNumber(UInt16.self),
      let requestTime = reader.takeDate(), let responseTime = reader.takeDate(),
      let url = reader.takeText().flatMap({ URL(string: $0) }),
      let variant = reader.takeData(), let fieldCount = reader.takeNumber(UInt32.self)
    else { return nil }
    var headers = HTTPHeaders()
    for _ in 0..<fieldCount {
      guard let name = reader.takeText(), let value = reader.takeText() else { return nil }
      headers.add(name: name, value: value)
    }
    guard let body = reader.takeData() else { return nil }
    return CachedResponse(
      method: kind & 1 == 1 ? .head : .get, url: url, statusCode: Int(statusCode), headers: headers, body: body,
      requestTime: requestTime, responseTime: responseTime, identity: identity, variant: Array(variant),
      isDecoded: kind & 2 == 2)
  }
}

extension UInt64 {
  fileprivate mutating func mix(_ word: UInt64) {
    self = (self ^ word) &* 0x9E37_79B9_7F4A_7C15
    self ^= self >> 29
  }
}

/// Puts values one behind the other.
private struct ByteWriter {
  var data = Data()

  mutating func write(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
  }

  mutating func write(_ bytes: Data) {
    write(UInt64(bytes.count))
    data.append(bytes)
  }

  mutating func write(_ text: String) {
    write(Data(text.utf8))
  }

  /// Microseconds since 1970, within some ten thousand years.
  mutating func write(_ date: Date) {
    let seconds = date.timeIntervalSince1970
    let bounded = seconds.isNaN ? 0 : min(max(seconds, -1e12), 1e12)
    write(Int64((bounded * 1e6).rounded()))
  }
}

/// Takes values off the front; `nil` where too little is left.
private struct ByteReader {
  private let data: Data
  private var position: Int

  init(_ data: Data) {
    self.data = data
    position = data.startIndex
  }

  var remaining: Int { data.endIndex - position }

  mutating func takeBytes(_ count: Int) -> Data? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return data.subdata(in: position..<(position + count))
  }

  mutating func takeNumber<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    guard let bytes = takeBytes(MemoryLayout<Number>.size) else { return nil }
    return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
  }

  mutating func takeData() -> Data? {
    takeNumber(UInt64.self).flatMap { Int(exactly: $0) }.flatMap { takeBytes($0) }
  }

  mutating func takeText() -> String? {
    takeData().map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func takeDate() -> Date? {
    takeNumber(Int64.self).map { Date(timeIntervalSince1970: TimeInterval($0) / 1e6) }
  }
}
