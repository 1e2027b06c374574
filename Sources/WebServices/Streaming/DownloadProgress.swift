import Foundation

/// Decides how a download continues after its connection broke. The decision is a pure function.
///
/// A download continues only with bytes of the same version of the file. The server has to name that version with a
/// strong validator (RFC 9110, section 8.8.1), which `If-Range` sends back (section 13.1.5). Bytes that the transport
/// has decompressed count as bytes of the file, because the request for the rest refuses compression. A server that has
/// another version for that request sends the whole file.
struct DownloadProgress: Sendable {
  /// How often a download is resumed before it fails.
  static let limit = 10

  /// The server's name for a version of the file, and the length of that version.
  struct Version: Codable, Equatable {
    var validator: String
    /// `nil` if only the length of a compressed form was announced.
    var length: Int64?

    /// The version of a whole response; `nil` if the server doesn't name it with certainty.
    init?(of response: WebServiceResponse) {
      length = DownloadProgress.length(of: response)
      guard length != nil || response.isDecoded, let name = DownloadProgress.validator(of: response) else { return nil }
      validator = name
    }
  }

  /// How many bytes are in the file.
  private(set) var received: Int64 = 0
  private(set) var resumptions = 0
  /// The version of the bytes; `nil` without bytes that can be continued.
  private var version: Version?
  /// The head of the response that the file begins with.
  private var first: WebServiceResponse?
  /// The offset of the current transfer's body in the file, and the length of the whole file.
  private var start: Int64 = 0
  private var total: Int64?

  /// A download that begins with the first byte.
  init() {}

  /// A download that continues with the bytes of an earlier launch; `nil` where they can't be of this version.
  init?(continuing version: Version, received: Int64) {
    guard received > 0, received <= version.length ?? .max else { return nil }
    self.version = version
    // No range begins after the last byte, so a download with all bytes requests the last byte again.
    self.received = received == version.length ? received - 1 : received
  }

  /// The header fields that request the rest; empty for the first request.
  var headers: HTTPHeaders {
    guard received > 0, let version else { return HTTPHeaders() }
    return ["Range": "bytes=\(received)-", "If-Range": version.validator]
  }

  /// The part of the file that a response contains.
  enum Piece: Equatable {
    /// The body replaces the bytes in the file.
    case whole
    /// The body follows the bytes in the file.
    case rest
    /// The body may be of another version or another part, and is dropped.
    case unusable
  }

  func piece(of response: WebServiceResponse) -> Piece {
    switch response.statusCode {
    case 206 where received > 0: isRest(response) ? .rest : .unusable
    case 200...299: .whole
    default: .unusable
    }
  }

  /// Begins with the first byte again: the server has no such part of the file any more.
  ///
  /// - Returns: `false` if the request asked for the whole file.
  mutating func beginAgain() -> Bool {
    guard received > 0, resumptions < Self.limit else { return false }
    self = DownloadProgress(resumptions: resumptions + 1)
    return true
  }

  private init(resumptions: Int) {
    self.resumptions = resumptions
  }

  /// Notes that the next request is sent, so that progress counts from the bytes in the file until a head says
  /// otherwise. Begins with the first byte again if the file has lost bytes since.
  ///
  /// - Parameter size: how many bytes the file has.
  /// - Returns: the header fields that request the rest; empty for the whole file.
  mutating func beginRequest(size: Int64) -> HTTPHeaders {
    if size < received { self = DownloadProgress(resumptions: resumptions) }
    (start, total) = (received, version?.length)
    return headers
  }

  /// Notes the head of a transfer.
  ///
  /// - Returns: where its body begins in the file; `nil` if the body doesn't belong there.
  mutating func begin(_ head: WebServiceResponse) -> Int64? {
    let piece = piece(of: head)
    (start, total) = piece == .rest ? (received, Self.total(of: head)) : (0, Self.length(of: head))
    return piece == .unusable ? nil : start
  }

  /// The progress of the whole file.
  func whole(_ progress: TransportRequest.Progress) -> TransportRequest.Progress {
    // The numbers of a transfer from the first byte are those of the file.
    guard start > 0 else { return progress }
    var whole = progress
    whole.received += start
    whole.expectedToReceive = total ?? progress.expectedToReceive.map { $0 + start }
    return whole
  }

  /// The response for the whole file. After a resumption, it combines the first head with the length of the whole file.
  ///
  /// - Parameter last: the response that the file ends with.
  func whole(endingWith last: WebServiceResponse) throws -> WebServiceResponse {
    let piece = piece(of: last)
    guard piece != .unusable else { throw WrongPart() }
    guard piece == .rest else { return last }
    var whole = first ?? last
    // `first` is missing if an earlier launch received it.
    whole.statusCode = first?.statusCode ?? 200
    whole.headers.remove("Content-Range")
    whole.body = last.body
    whole.url = last.url
    whole.metrics = last.metrics
    if let total = Self.total(of: last) { whole.headers["Content-Length"] = "\(total)" }
    return whole
  }

  /// Notes a transfer that broke after this many bytes of its body.
  ///
  /// - Returns: whether the rest can be requested.
  mutating func noteBreak(_ response: WebServiceResponse, bytes: Int64, method: HTTPMethod) -> Bool {
    resumptions += 1
    switch piece(of: response) {
    case .unusable: return false
    case .rest:
      received += bytes
      version?.length = Self.total(of: response)
    case .whole:
      first = response.withoutBody
      received = bytes
      version = Version(of: response)
    }
    return method == .get && version != nil && received > 0 && resumptions <= Self.limit
  }

  /// Whether a broken or stalled connection caused the error.
  static func isBroken(_ error: TransportError) -> Bool {
    switch error.kind {
    case .connectionLost, .truncated, .timedOut(.idle): true
    default: false
    }
  }

  /// Whether a transfer that failed after this many bytes can be resumed, which saves more than a retry.
  static func canResume(after error: TransportError, bytes: Int64, method: HTTPMethod) -> Bool {
    guard isBroken(error), bytes > 0, let response = error.response else { return false }
    var progress = DownloadProgress()
    // A broken part belongs to a download that could be resumed before.
    return response.statusCode == 206 || progress.noteBreak(response, bytes: bytes, method: method)
  }

  /// Whether the body is all that is missing. Only parts of one version may be combined (RFC 9110, section 15.3.7.3),
  /// and a server may send less than the request asked for (section 14.2).
  private func isRest(_ response: WebServiceResponse) -> Bool {
    // The part has to begin at the next byte, end at the last one, and be as long as it says.
    guard let range = ContentRange(response.headers["Content-Range"]), range.first == received,
      let length = version?.length ?? range.total, range.last + 1 == length, range.total.map({ $0 == length }) ?? true,
      Self.length(of: response) == range.last - range.first + 1
    else { return false }
    // A date as validator isn't compared: `If-Range` has done so.
    guard let version, version.validator.hasPrefix("\""), let tag = response.headers["ETag"] else { return true }
    return tag == version.validator
  }

  /// The header field that names the version with certainty, for `If-Range`; `nil` if there is none.
  private static func validator(of response: WebServiceResponse) -> String? {
    let headers = response.headers
    // `none` says that the server supports no ranges (RFC 9110, section 14.3).
    guard response.statusCode == 200, headers["Accept-Ranges"]?.lowercased() != "none" else { return nil }
    // A weak tag (`W/"…"`) doesn't say that the bytes are equal (RFC 9110, section 8.8.1).
    if let tag = headers["ETag"] { return tag.hasPrefix("\"") ? tag : nil }
    // A date is a strong validator if the file is clearly older than the response (RFC 9110, section 8.8.2.2).
    guard let modified = headers["Last-Modified"], let changed = HTTPDate.date(from: modified),
      let sent = headers["Date"].flatMap({ HTTPDate.date(from: $0) }), sent.timeIntervalSince(changed) >= 1
    else { return nil }
    return modified
  }

  /// The announced length, if it counts bytes of the file itself and not of a compressed form.
  private static func length(of response: WebServiceResponse) -> Int64? {
    guard response.headers["Content-Encoding"] == nil, !response.isDecoded else { return nil }
    return response.headers["Content-Length"].flatMap { Int64($0) }
  }

  /// The length of the whole file that a rest ends.
  private static func total(of rest: WebServiceResponse) -> Int64? {
    ContentRange(rest.headers["Content-Range"]).map { $0.last + 1 }
  }
}
