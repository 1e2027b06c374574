import Foundation

/// The range that a request asks for (RFC 9110, section 14.2). `share(_:of:)` says which part of a stored response to
/// deliver. Pure.
struct CacheRange {
  private let range: HTTPByteRange
  /// The value of `If-Range`.
  private let condition: String?

  /// The part of a stored response to deliver.
  enum Share: Equatable {
    case whole
    /// The bytes at these offsets of the complete content.
    case part(ClosedRange<Int64>)
  }

  /// Reads the range of a GET; `nil` without a range, or with several of them, which only the server can judge.
  init?(_ request: TransportRequest) {
    guard request.method == .get, let value = request.headers["Range"], let range = HTTPByteRange(value),
      request.headers.values(for: "Range").count == 1
    else { return nil }
    self.range = range
    condition = request.headers["If-Range"]
  }

  /// The share of a stored response for a request with this range, or without one.
  ///
  /// - Returns: `nil` if the request has to be sent.
  static func share(_ range: CacheRange?, of response: CachedResponse) -> Share? {
    guard let range else { return response.contentRange == nil ? .whole : nil }
    return range.share(of: response)
  }

  private func share(of response: CachedResponse) -> Share? {
    let stored = response.contentRange
    // A range counts only if the response would be 200 without it.
    guard response.statusCode == 200 || stored != nil else { return .whole }
    if let condition, !Self.isMet(condition, by: response) { return stored == nil ? .whole : nil }
    // The server counts the offsets of the content before it was decoded.
    guard !response.isDecoded else { return nil }
    let total = stored?.total ?? Int64(response.body.count)
    guard let wanted = offsets(in: total) else { return nil }
    let available = stored.map { $0.first...$0.last } ?? 0...(total - 1)
    return available.contains(wanted.lowerBound) && available.contains(wanted.upperBound) ? .part(wanted) : nil
  }

  /// The offsets in content of a length; `nil` when there are none (416, which is the server's to say).
  private func offsets(in total: Int64) -> ClosedRange<Int64>? {
    switch range {
    case .bytes(let bytes):
      bytes.lowerBound < total ? bytes.lowerBound...min(bytes.upperBound, total - 1) : nil
    case .from(let first):
      first < total ? first...(total - 1) : nil
    case .last(let count):
      count > 0 && total > 0 ? max(0, total - count)...(total - 1) : nil
    }
  }

  /// Whether the response has the strong validator that `If-Range` names (RFC 9110, section 13.1.5).
  private static func isMet(_ condition: String, by response: CachedResponse) -> Bool {
    guard let tag = EntityTag(condition) else {
      return condition == response.headers["Last-Modified"] && response.facts.isLastModifiedStrong
    }
    return !tag.isWeak && tag == EntityTag(response.headers)
  }
}

extension CachedResponse {
  /// The fields and content of a part, for a response with status 206.
  ///
  /// - Parameter offsets: those of `CacheRange.Share.part`.
  func part(_ offsets: ClosedRange<Int64>) -> (headers: HTTPHeaders, body: Data) {
    let first = contentRange?.first ?? 0
    let total = contentRange?.total ?? Int64(body.count)
    let start = body.startIndex + Int(offsets.lowerBound - first)
    let content = body[start..<(start + offsets.count)]
    var headers = headers
    headers["Content-Range"] = "bytes \(offsets.lowerBound)-\(offsets.upperBound)/\(total)"
    headers["Content-Length"] = "\(content.count)"
    return (headers, Data(content))
  }

  /// Whether this newer response has another `ETag` or `Last-Modified` than the stored response.
  func showsChange(of stored: CachedResponse) -> Bool {
    ["ETag", "Last-Modified"].contains { name in
      guard let newer = headers[name], let older = stored.headers[name] else { return false }
      return newer != older
    }
  }
}
