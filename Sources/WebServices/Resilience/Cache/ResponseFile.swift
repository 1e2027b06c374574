import Foundation

/// The format of the file that holds the responses of one key: a checksum of eight bytes, then a property list. A file
/// with a single wrong bit counts as missing.
enum ResponseFile {
  /// The first value of the checksum, which changes with the format. Files of another format count as damaged.
  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325 ^ 7

  private struct Record: Codable {
    let url: String
    let statusCode: Int
    let names, values: [String]
    let body: Data
    let isDecoded: Bool
    let requestTime, responseTime: Date
    let variant: Data
  }

  static func encode(_ responses: [CachedResponse]) -> Data? {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let list = try? encoder.encode(
      responses.map { cached in
        Record(
          url: cached.response.urlForm.text, statusCode: cached.response.statusCode,
          names: cached.response.headers.map(\.name), values: cached.response.headers.map(\.value),
          body: cached.response.body, isDecoded: cached.response.isDecoded, requestTime: cached.requestTime,
          responseTime: cached.responseTime, variant: Data(cached.variant))
      })
    return list.map { checksum(of: $0) + $0 }
  }

  /// - Returns: the responses, or `nil` when the data is damaged or of another format.
  static func decode(_ data: Data) -> [CachedResponse]? {
    let list = data.dropFirst(8)
    guard data.prefix(8).elementsEqual(checksum(of: list)),
      let records = try? PropertyListDecoder().decode([Record].self, from: Data(list))
    else { return nil }
    return records.compactMap { record in
      guard let url = URL(string: record.url) else { return nil }
      let headers = HTTPHeaders(zip(record.names, record.values).map { HTTPHeaders.Field(name: $0, value: $1) })
      var response = WebServiceResponse(statusCode: record.statusCode, headers: headers, url: url, body: record.body)
      response.isDecoded = record.isDecoded
      return CachedResponse(
        response, requestTime: record.requestTime, responseTime: record.responseTime, variant: Array(record.variant))
    }
  }

  /// A checksum against damage, not malice: each change of one byte changes it (FNV-1a).
  static func checksum(of data: Data) -> Data {
    let sum = data.withUnsafeBytes { $0.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
    return withUnsafeBytes(of: sum.littleEndian) { Data($0) }
  }
}
