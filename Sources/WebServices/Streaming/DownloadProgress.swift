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

  /// How many bytes of the version are in the file.
  private var received: Int64 = 0
  private var resumptions = 0
  /// The version of the bytes; `nil` without bytes that can be continued.
  private var version: Version?
  /// Whether the request of the caller asks for a part of the file.
  private var isForPart = false
  /// Where the body of the current transfer begins in the file; `nil` before its head, and if the body doesn't belong
  /// there.
  private var start: Int64?
  /// Where the body ends in the file; `nil` if its length isn't known.
  private var end: Int64?
  /// The length of the whole file.
  private var total: Int64?

  /// A download that begins with the first byte.
  init() {}

  /// A download that continues with the bytes of an earlier launch; `nil` where they can't be of this version.
  init?(continuing version: Version, received: Int64) {
    guard received > 0, received <= version.length ?? .max else { return nil }
    (self.version, self.received) = (version, received)
  }

  /// Notes that a request is sent. Begins with the first byte again if the file has lost bytes since.
  ///
  /// - Parameters:
  ///   - size: how many bytes the file has.
  ///   - isForPart: whether the request of the caller has a `Range` of its own.
  /// - Returns: the header fields that request the rest; empty for the whole file.
  mutating func beginRequest(size: Int64, isForPart: Bool = false) -> HTTPHeaders {
    // Bytes of no known version come once more from the first on, also if they are the part that the caller requests.
    if size < received || version == nil { (received, version) = (0, nil) }
    (start, end, total, self.isForPart) = (nil, nil, version?.length, isForPart)
    // No range begins after the last byte, so a download with all bytes requests the last byte again.
    if received > 0, received == total { received -= 1 }
    guard received > 0, let version else { return HTTPHeaders() }
    return ["Range": "bytes=\(received)-", "If-Range": version.validator]
  }

  /// Notes the head of a transfer. Its body belongs to the file if it is the whole file, or the next part of it.
  mutating func note(_ head: WebServiceResponse) {
    start = nil
    if head.statusCode == 206, received > 0 {
      guard let part = missingPart(in: head) else { return }
      (start, end, total) = (received, part.last + 1, version?.length ?? part.total)
      version?.length = total
    } else if head.statusCode != 206 || isForPart {
      (version, total) = (Version(of: head), Self.length(of: head))
      (start, end) = (0, total)
    }
  }

  /// Notes that the bytes that come now are those of the noted head.
  ///
  /// - Returns: where the body begins in the file; `nil` if it may be of another version or another part.
  mutating func beginBody() -> Int64? {
    received = start ?? received
    return start
  }

  /// Notes bytes of the body.
  ///
  /// - Returns: where the bytes end in the file; `nil` if the body has more bytes than its head says.
  mutating func add(_ count: Int) -> Int64? {
    received += Int64(count)
    return received <= end ?? .max ? received : nil
  }

  /// Whether the file is complete with the current transfer.
  var isComplete: Bool { received >= total ?? 0 }

  /// The progress of the whole file.
  func whole(_ progress: TransportRequest.Progress) -> TransportRequest.Progress {
    var whole = progress
    // The body of an error isn't a part of the file, and its announced length may be any number.
    whole.received = start.map { $0 + progress.received } ?? received
    whole.expectedToReceive = total
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

  /// Notes the end of a transfer.
  ///
  /// - Returns: how often the rest has been requested after a failure; 0 if the next request is sent at once. `nil` if
  ///   the download can't go on.
  mutating func resume(after result: TransferResult, method: HTTPMethod) -> Int? {
    guard method == .get, received > 0, resumptions < Self.limit else { return nil }
    let head = result.serverResponse
    let isCoded = head.map { $0.headers.isCompressed || $0.isDecoded } ?? false
    switch result {
    // The server has no such part of the file any more (RFC 9110, section 15.5.17). Or it compresses the part, though
    // the request refuses that, and so counts other bytes than the file's.
    case _ where head?.statusCode == 416 || head?.statusCode == 206 && start == nil && isCoded:
      (received, version) = (0, nil)
      return 0
    // A transfer without a head, such as one to a server that restarts, ends no download that was resumed before. The
    // pauses of all resumptions outlast an open circuit.
    case .failure(let error)
    where error.kind == .refusedBySession || RetryPolicy.standardTransportFailures.contains(error.kind):
      guard version != nil, start != nil || resumptions > 0 else { return nil }
      // A part that is shorter than the rest has come as a whole (RFC 9110, section 14.2).
      if received == end, end != total { return 0 }
      return resumptions.increment()
    default: return nil
    }
  }

  /// The part of the file that a response has, if it begins at the next byte. Only parts of one version may be combined
  /// (RFC 9110, section 15.3.7.3).
  private func missingPart(in response: WebServiceResponse) -> ContentRange? {
    guard let version, let part = ContentRange(response.headers["Content-Range"]), part.first == received,
      let length = version.length ?? part.total, part.last < length, part.total ?? length == length,
      !response.headers.isCompressed, !response.isDecoded,
      Self.length(of: response).map({ $0 == part.last - part.first + 1 }) ?? true
    else { return nil }
    // Compared again, because some servers ignore `If-Range`.
    let current = response.headers[version.validator.hasPrefix("\"") ? "ETag" : "Last-Modified"]
    return current ?? version.validator == version.validator ? part : nil
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
    response.headers.isCompressed || response.isDecoded ? nil : response.headers["Content-Length"]?.httpNumber
  }
}
