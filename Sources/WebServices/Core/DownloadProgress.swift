import Foundation

/// What comes next for a download whose connection broke: pure.
///
/// Only bytes that are sure to be the same can be gone on with: the server has to have named the version by a strong
/// validator (RFC 9110, section 8.8.1), which `If-Range` sends back (section 13.1.5), and the bytes must be those of the
/// file itself, not of a compressed form.
struct DownloadProgress: Sendable, Equatable {
  /// Bytes that are in the file.
  private(set) var received: Int64 = 0
  /// What the server called the version that they are of.
  private(set) var validator: String?
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

  /// What the bytes behind a head are.
  func piece(of response: WebServiceResponse) -> Piece {
    switch response.statusCode {
    case 206 where received > 0:
      Self.start(of: response.headers["Content-Range"]) == received ? .rest : .unusable
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
    case .rest: received += bytes
    case .whole:
      received = bytes
      validator = Self.validator(of: response)
    }
    return method == .get && validator != nil && received > 0 && resumptions <= Self.limit
  }

  private static func validator(of response: WebServiceResponse) -> String? {
    let headers = response.headers
    guard response.statusCode == 200, headers["Content-Encoding"] == nil,
      headers["Accept-Ranges"]?.lowercased() != "none"
    else { return nil }
    if let tag = headers["ETag"] { return tag.hasPrefix("\"") ? tag : nil }
    // A date is a strong validator where the file is clearly older than the answer (RFC 9110, section 8.8.2.2).
    guard let modified = headers["Last-Modified"], let changed = HTTPDate.date(from: modified),
      let answered = headers["Date"].flatMap({ HTTPDate.date(from: $0) }), answered.timeIntervalSince(changed) >= 1
    else { return nil }
    return modified
  }

  /// The first position of `bytes 100-199/200`.
  private static func start(of contentRange: String?) -> Int64? {
    guard let text = contentRange, text.lowercased().hasPrefix("bytes ") else { return nil }
    let digits = text.dropFirst("bytes ".count).prefix { $0 != "-" }
    return Int64(digits)
  }
}
