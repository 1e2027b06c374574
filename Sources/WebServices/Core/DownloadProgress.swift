import Foundation

/// What comes next for a download whose connection broke: pure.
///
/// Only bytes that are sure to be the same can be gone on with: the server has to have named the version by a strong
/// validator (RFC 9110, section 8.8.1), which `If-Range` sends back (section 13.1.5), and the bytes must be those of the
/// file itself. Those of a compressed form that the transport has decoded are; the rest is asked for without compression,
/// and a server that names another version for that sends the whole.
struct DownloadProgress: Sendable, Equatable {
  /// Bytes that are in the file.
  private(set) var received: Int64 = 0
  /// What the server called the version that they are of.
  private(set) var validator: String?
  /// How many bytes that version has.
  private(set) var length: Int64?
  private(set) var resumptions = 0

  /// How often a broken connection is resumed before the download fails.
  static let limit = 10

  /// The fields that ask for the rest; none at the beginning.
  var headers: HTTPHeaders {
    guard received > 0, let validator else { return HTTPHeaders() }
    return ["Range": "bytes=\(received)-", "If-Range": validator]
  }

  /// What is done with the bytes that one exchange brought.
  enum Piece: Equatable {
    /// They are the beginning: whatever there was is replaced.
    case whole
    /// They follow those that are there.
    case rest
    /// They can't be told apart from other bytes: they are dropped.
    case unusable
  }

  /// How many bytes stand before those of an exchange with this head, and how many the file has in the end.
  func position(of head: WebServiceResponse) -> (start: Int64, total: Int64?) {
    guard piece(of: head) == .rest else { return (0, Self.length(of: head)) }
    return (received, Self.total(of: head))
  }

  /// The response of the whole, put together of that of the beginning and that of the last rest.
  static func whole(_ first: WebServiceResponse, endingWith last: WebServiceResponse) -> WebServiceResponse {
    var whole = first
    whole.body = last.body
    whole.url = last.url
    whole.metrics = last.metrics
    if let total = total(of: last) { whole.headers["Content-Length"] = "\(total)" }
    return whole
  }

  /// What the bytes behind a head are.
  func piece(of response: WebServiceResponse) -> Piece {
    switch response.statusCode {
    case 206 where received > 0: isRest(response) ? .rest : .unusable
    case 200...299: .whole
    default: .unusable
    }
  }

  /// Takes an exchange that broke after so many bytes.
  ///
  /// - Returns: whether the rest can be asked for.
  mutating func broke(_ response: WebServiceResponse, bytes: Int64, method: HTTPMethod) -> Bool {
    resumptions += 1
    switch piece(of: response) {
    case .unusable: return false
    case .rest:
      received += bytes
      length = Self.total(of: response)
    case .whole:
      received = bytes
      length = Self.length(of: response)
      validator = length != nil || response.isDecoded ? Self.validator(of: response) : nil
    }
    return method == .get && validator != nil && received > 0 && resumptions <= Self.limit
  }

  /// Whether all bytes that are missing stand behind the head: the parts of one version only may be put together
  /// (RFC 9110, section 15.3.7.3), and a server may send less than it was asked for (section 14.2).
  private func isRest(_ response: WebServiceResponse) -> Bool {
    guard let range = ContentRange(response.headers["Content-Range"]), range.first == received,
      let length = length ?? range.total, range.last + 1 == length, range.total.map({ $0 == length }) ?? true,
      Self.length(of: response) == range.last - range.first + 1
    else { return false }
    guard let validator, validator.hasPrefix("\""), let tag = response.headers["ETag"] else { return true }
    return tag == validator
  }

  private static func validator(of response: WebServiceResponse) -> String? {
    let headers = response.headers
    guard response.statusCode == 200, headers["Accept-Ranges"]?.lowercased() != "none" else { return nil }
    if let tag = headers["ETag"] { return tag.hasPrefix("\"") ? tag : nil }
    // A date is a strong validator where the file is clearly older than the answer (RFC 9110, section 8.8.2.2).
    guard let modified = headers["Last-Modified"], let changed = HTTPDate.date(from: modified),
      let answered = headers["Date"].flatMap({ HTTPDate.date(from: $0) }), answered.timeIntervalSince(changed) >= 1
    else { return nil }
    return modified
  }

  /// The number of bytes that were announced, if they are those of the file itself: a transport that has decompressed
  /// them removes the field.
  private static func length(of response: WebServiceResponse) -> Int64? {
    guard response.headers["Content-Encoding"] == nil, !response.isDecoded else { return nil }
    return response.headers["Content-Length"].flatMap { Int64($0) }
  }

  /// The length of the whole that a rest ends.
  private static func total(of rest: WebServiceResponse) -> Int64? {
    ContentRange(rest.headers["Content-Range"]).map { $0.last + 1 }
  }

  /// `bytes 100-199/200`, or `*` for a total that isn't known (RFC 9110, section 14.4).
  struct ContentRange: Equatable {
    var first: Int64
    var last: Int64
    var total: Int64?

    init?(_ field: String?) {
      guard let field, field.lowercased().hasPrefix("bytes ") else { return nil }
      let parts = field.dropFirst("bytes ".count).split(
        separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let bounds = parts[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]),
        first <= last, last < .max
      else { return nil }
      self.first = first
      self.last = last
      guard parts[1] != "*" else { return }
      guard let total = Self.number(parts[1]), last < total else { return nil }
      self.total = total
    }

    private static func number(_ text: Substring) -> Int64? {
      text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
  }
}
