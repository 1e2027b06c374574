public import Foundation

/// An answer as it is stored.
///
/// The fields of the answer are stored as they came, `Set-Cookie` included; of the request nothing is but a digest of
/// the fields that `Vary` names.
public struct CachedResponse: Sendable {
  /// The method that it answered: `GET`, or `HEAD` (then it has no body).
  package let method: HTTPMethod
  /// The URL that answered.
  public let url: URL
  /// The status code.
  public let statusCode: Int
  /// The header fields, without those that were for one connection only (RFC 9111, section 3.1).
  public let headers: HTTPHeaders
  /// The content, after decompression.
  public let body: Data
  /// When the request was sent, by the wall clock.
  package let requestTime: Date
  /// When the answer came, by the wall clock.
  package let responseTime: Date
  /// Whose answer it is; `nil` is nobody's.
  package let identity: CacheIdentity?
  /// A digest of the request's fields that the answer's `Vary` names; empty where it names none.
  package let variant: [UInt8]
  /// Whether the transport has decoded the content.
  let isDecoded: Bool
  /// The part of the content that it has; `nil` for whole content.
  let contentRange: DownloadProgress.ContentRange?
  let facts: CacheFacts

  init(
    method: HTTPMethod, url: URL, statusCode: Int, headers: HTTPHeaders, body: Data, requestTime: Date,
    responseTime: Date, identity: CacheIdentity?, variant: [UInt8], isDecoded: Bool = false
  ) {
    self.method = method
    self.url = url
    self.statusCode = statusCode
    self.headers = headers
    self.body = body
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.identity = identity
    self.variant = variant
    self.isDecoded = isDecoded
    contentRange = statusCode == 206 ? Self.contentRange(headers, count: body.count) : nil
    facts = CacheFacts(
      method: method, statusCode: statusCode, headers: headers, requestTime: requestTime, responseTime: responseTime)
  }

  /// What comes from a server, made ready to be stored.
  init(
    _ response: WebServiceResponse, to request: TransportRequest, identity: CacheIdentity?, requestTime: Date,
    responseTime: Date, salt: Data
  ) {
    let names = VaryingFields.names(in: response.headers, method: request.method) ?? []
    self.init(
      method: request.method, url: response.url, statusCode: response.statusCode,
      headers: response.headers.withoutConnectionFields, body: response.body, requestTime: requestTime,
      responseTime: responseTime, identity: identity,
      variant: VaryingFields.digest(of: request.headers, names: names, salt: salt), isDecoded: response.isDecoded)
  }

  /// What `Content-Range` says, if there are as many bytes and the length of the whole is known.
  private static func contentRange(_ headers: HTTPHeaders, count: Int) -> DownloadProgress.ContentRange? {
    guard let range = DownloadProgress.ContentRange(headers["Content-Range"]), range.total != nil,
      range.last - range.first + 1 == Int64(count)
    else { return nil }
    return range
  }

  /// Bytes that it takes, roughly: what a store counts against its limit.
  public var cost: Int {
    let fields = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
    return body.count + fields + url.absoluteString.utf8.count + variant.count + 512
  }

  /// How many variants of one URL are stored.
  static let variantLimit = 8

  /// What a store holds of one key once `response` has come: it takes the place of the one that answered the same
  /// question, and where there are more than eight, the oldest go.
  public static func variants(_ stored: [CachedResponse], adding response: CachedResponse) -> [CachedResponse] {
    let others = stored.filter { !$0.answersTheSame(as: response) }
    return [response] + others.prefix(variantLimit - 1)
  }

  private func answersTheSame(as newer: CachedResponse) -> Bool {
    guard variant == newer.variant, facts.varyingNames == newer.facts.varyingNames else { return false }
    // A whole answer stands for its head too.
    return method == newer.method || (newer.method == .get && newer.contentRange == nil)
  }
}

extension CachedResponse: DescriptionOnly {
  /// Method, URL without secrets, status and size.
  public var description: String {
    "\(method) \(Redaction.standard.url(url.absoluteString)): \(statusCode), \(body.count) bytes"
  }
}
