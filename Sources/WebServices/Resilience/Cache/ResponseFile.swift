import Foundation

/// The name of the file for a key. Salted digests hide the URL and the identity from readers of the directory.
struct CacheFileName {
  /// 32 hexadecimal digits for the URL, a hyphen, 32 for the identity.
  let file: String

  init(_ key: CacheKey, salt: Data) {
    let identity: [UInt8] = key.identity.map { [1] + Array($0.digest.utf8) } ?? [0]
    let owner = SHA256.hash(ofParts: [Array("identity".utf8), Array(salt), identity])
    file = Self.prefix(ofURL: key.url, salt: salt) + owner.prefix(16).hexadecimal
  }

  /// The beginning of the names of all files of a URL.
  static func prefix(ofURL url: String, salt: Data) -> String {
    let digest = SHA256.hash(ofParts: [Array("url".utf8), Array(salt), Array(url.utf8)])
    return digest.prefix(16).hexadecimal + "-"
  }

  /// Whether the name is the name of a stored file.
  static func isOne(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard bytes.count == 65, bytes[32] == UInt8(ascii: "-") else { return false }
    return (bytes[..<32] + bytes[33...]).allSatisfy { $0.isASCIIDigit || (0x61...0x66).contains($0) }
  }
}

/// The format of the file that holds the responses of one key.
///
/// A head of 24 bytes has the letters `FRWC`, the version, the length of the rest, and a checksum. Then come the
/// responses one after the other. Numbers are little-endian. A file with a single wrong bit counts as missing.
enum ResponseFile {
  static let headLength = 24
  private static let magic = Data("FRWC".utf8)
  /// A file of another version counts as damaged and is removed. Files of earlier versions may hold the responses of
  /// several users under one key.
  private static let version: UInt32 = 4

  static func encode(_ responses: [CachedResponse]) -> Data {
    var payload = Data()
    payload.write(UInt32(truncatingIfNeeded: responses.count))
    responses.forEach { encode($0, to: &payload) }
    var file = magic
    file.write(version)
    file.write(UInt64(payload.count))
    file.write(checksum(of: payload))
    return file + payload
  }

  /// - Parameter identity: the user of the key, who isn't in the file.
  /// - Returns: the responses, or `nil` when the data is damaged or of another version.
  static func decode(_ data: Data, identity: CacheIdentity?) -> [CachedResponse]? {
    var reader = ByteReader(data)
    guard reader.takeBytes(magic.count) == magic, reader.takeNumber(UInt32.self) == version,
      let length = reader.takeNumber(UInt64.self), let sum = reader.takeNumber(UInt64.self),
      length == UInt64(reader.remaining), sum == checksum(of: data.dropFirst(headLength)),
      let count = reader.takeNumber(UInt32.self)
    else { return nil }
    var responses: [CachedResponse] = []
    // `count` may be any number in a damaged file. Each turn takes bytes, so the loop ends with them.
    for _ in 0..<count {
      guard let response = decode(from: &reader, identity: identity) else { return nil }
      responses.append(response)
    }
    return reader.remaining == 0 ? responses : nil
  }

  /// A checksum against damage, not malice: each change of one byte changes it. Each step can be undone, so that two
  /// different values stay different.
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

  private static func encode(_ response: CachedResponse, to writer: inout Data) {
    // Bit 0: the response to a HEAD. Bit 1: the transport has decoded the body.
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

extension Data {
  fileprivate mutating func write(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func write(_ bytes: Data) {
    write(UInt64(bytes.count))
    append(bytes)
  }

  fileprivate mutating func write(_ text: String) { write(Data(text.utf8)) }

  /// Writes microseconds since 1970, within some ten thousand years.
  fileprivate mutating func write(_ date: Date) {
    let seconds = date.timeIntervalSince1970
    let bounded = seconds.isNaN ? 0 : Swift.min(Swift.max(seconds, -1e12), 1e12)
    write(Int64((bounded * 1e6).rounded()))
  }
}

/// Reads the numbers, texts and dates of a `ResponseFile` one after the other. Each method returns `nil` if too few
/// bytes are left.
private struct ByteReader {
  private var rest: Data

  init(_ data: Data) { rest = data }

  var remaining: Int { rest.count }

  mutating func takeBytes(_ count: Int) -> Data? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.subdata(in: rest.startIndex..<(rest.startIndex + count))
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
