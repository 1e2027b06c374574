import Foundation

/// The range that a request asks for (RFC 9110, section 14.2).
struct CacheRange {
  private let range: HTTPHeaders.ByteRange
  /// The value of `If-Range`.
  fileprivate let condition: String?

  /// Reads the range of a GET; `nil` without a range, or with several of them, which only the server can judge.
  init?(_ request: TransportRequest) {
    guard request.method == .get, let value = request.headers["Range"], let range = HTTPHeaders.ByteRange(value),
      request.headers.values(for: "Range").count == 1
    else { return nil }
    self.range = range
    condition = request.headers["If-Range"]
  }

  /// The offsets in content of a length; `nil` when there are none (416, which is the server's to say).
  fileprivate func offsets(in total: Int64) -> Range<Int>? {
    let offsets =
      switch range {
      case .bytes(let bytes): bytes.lowerBound..<max(bytes.lowerBound, min(bytes.upperBound, total - 1) + 1)
      case .from(let first): first..<max(first, total)
      case .last(let count): max(0, total - count)..<total
      }
    return offsets.isEmpty ? nil : Int(offsets.lowerBound)..<Int(offsets.upperBound)
  }
}

extension CachedResponse {
  /// The bytes of the response to deliver for a request with this range, or without one; `nil` if the request has to be
  /// sent.
  func share(_ wanted: CacheRange?) -> (offsets: Range<Int>, isPart: Bool)? {
    let whole = (0..<response.body.count, false)
    // A range counts only if the response would be 200 without it.
    guard let wanted, response.statusCode == 200 else { return whole }
    if let condition = wanted.condition {
      // Only the server judges a date (RFC 9110, section 13.1.5).
      guard condition.isEntityTag else { return nil }
      if condition.isWeakTag || condition != response.headers.entityTag { return whole }
    }
    // The server counts the offsets of the content before it was decoded.
    return response.isDecoded ? nil : wanted.offsets(in: Int64(response.body.count)).map { ($0, true) }
  }
}
