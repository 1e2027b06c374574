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

  /// How many bytes of the version are in the file, before those of the current transfer.
  private var received: Int64 = 0
  private var resumptions = 0
  /// The version of the bytes; `nil` without bytes that can be continued.
  private var version: Version?
  /// Where the body of the current transfer begins in the file; `nil` before its head, and if the body doesn't belong
  /// there.
  private var start: Int64?
  /// The length of the whole file.
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

  /// Notes that a request is sent. Begins with the first byte again if the file has lost bytes since.
  ///
  /// - Parameter size: how many bytes the file has.
  /// - Returns: the header fields that request the rest; empty for the whole file.
  mutating func beginRequest(size: Int64) -> HTTPHeaders {
    if size < received { (received, version) = (0, nil) }
    (start, total) = (nil, version?.length)
    guard received > 0, let version else { return HTTPHeaders() }
    return ["Range": "bytes=\(received)-", "If-Range": version.validator]
  }

  /// Notes the head of a transfer.
  ///
  /// - Returns: where its body begins in the file; `nil` if the body may be of another version or another part.
  mutating func begin(_ head: WebServiceResponse) -> Int64? {
    if head.statusCode != 206 || received == 0 {
      (start, total, received, version) = (0, Self.length(of: head), 0, Version(of: head))
    } else if isRest(head) {
      total = ContentRange(head.headers["Content-Range"]).map { $0.last + 1 }
      start = received
      version?.length = total
    }
    return start
  }

  /// The progress of the whole file.
  func whole(_ progress: TransportRequest.Progress) -> TransportRequest.Progress {
    let start = start ?? received
    // The numbers of a transfer from the first byte are those of the file.
    guard start > 0 else { return progress }
    var whole = progress
    whole.received += start
    whole.expectedToReceive = total ?? progress.expectedToReceive.map { $0 + start }
    return whole
  }

  /// The response for the whole file.
  ///
  /// - Parameter last: the response that the file ends with.
  func whole(endingWith last: WebServiceResponse) -> WebServiceResponse {
    guard let start, start > 0 else { return last }
    var whole = last
    whole.statusCode = 200
    whole.headers.remove("Content-Range")
    if let total { whole.headers["Content-Length"] = "\(total)" }
    return whole
  }

  /// Notes the end of a transfer that wrote this many bytes.
  ///
  /// - Returns: how often the rest has been requested with the next request; 0 if the file is requested from its first
  ///   byte, because the server has no such part of it any more (RFC 9110, section 15.5.17). `nil` if the download
  ///   can't go on.
  mutating func resume(
    after result: Result<WebServiceResponse, TransportError>, bytes: Int64, method: HTTPMethod
  ) -> Int? {
    guard method == .get, resumptions < Self.limit else { return nil }
    switch result {
    case .success(let response) where response.statusCode == 416 && received > 0:
      resumptions += 1
      (received, version) = (0, nil)
      return 0
    case .failure(let error) where Self.isBroken(error):
      guard let start, version != nil, start + bytes > 0 else { return nil }
      resumptions += 1
      received = start + bytes
      return resumptions
    default: return nil
    }
  }

  /// Whether a broken or stalled connection caused the error.
  private static func isBroken(_ error: TransportError) -> Bool {
    switch error.kind {
    case .connectionLost, .truncated, .timedOut(.idle): true
    default: false
    }
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
}
