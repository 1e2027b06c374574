public import Foundation

/// A response as a ``ResponseCache`` stores it. Your own ``ResponseStore`` needs only ``cost`` and
/// ``variants(_:adding:)``.
///
/// The header fields of the response are stored unchanged, including `Set-Cookie`. Only those for one connection are
/// left out. Of the request's header fields, only a digest of those that `Vary` names is stored.
public struct CachedResponse: Sendable {
  /// The method of the request: `GET`, or `HEAD` (then there is no body).
  package let method: HTTPMethod
  /// The URL of the response.
  public let url: URL
  /// The status code.
  public let statusCode: Int
  /// The header fields, without those that were for one connection only (RFC 9111, section 3.1).
  public let headers: HTTPHeaders
  /// The content, after decompression.
  public let body: Data
  /// When the request was sent, by the wall clock.
  package let requestTime: Date
  /// When the response was received, by the wall clock.
  package let responseTime: Date
  /// The user whose response this is; `nil` for a request without credentials.
  package let identity: CacheIdentity?
  /// A digest of the request's fields that the response's `Vary` names; empty when it names none.
  package let variant: [UInt8]
  /// Whether the transport has decoded the content.
  let isDecoded: Bool
  /// The range of the content that `body` is; `nil` for whole content.
  let contentRange: ContentRange?
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

  /// Makes a server's response ready to be stored.
  init(
    _ response: WebServiceResponse, to request: TransportRequest, identity: CacheIdentity?, requestTime: Date,
    responseTime: Date, salt: Data
  ) {
    self.init(
      method: request.method, url: response.url, statusCode: response.statusCode,
      headers: response.headers.withoutConnectionFields, body: response.body, requestTime: requestTime,
      responseTime: responseTime, identity: identity,
      variant: Self.variant(of: request.headers, to: request.method, response.headers, salt: salt),
      isDecoded: response.isDecoded)
  }

  /// The range that `Content-Range` names; `nil` if the body has another length than the range, or if the length of the
  /// whole content isn't known.
  private static func contentRange(_ headers: HTTPHeaders, count: Int) -> ContentRange? {
    guard let range = ContentRange(headers["Content-Range"]), range.total != nil,
      range.last - range.first + 1 == Int64(count)
    else { return nil }
    return range
  }

  /// The bytes that the response takes, roughly. A store counts them against its limit.
  public var cost: Int {
    // 64 and 512 bytes stand for the objects that a field and a response take besides their text.
    let fields = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
    return body.count + fields + url.absoluteString.utf8.count + variant.count + 512
  }

  /// The most variants of one key, since each look-up compares all of them.
  static let variantLimit = 8

  /// The responses of one key after `response` was received. The new response replaces the one that the same requests
  /// match. If there are more than eight, the oldest are removed.
  ///
  /// - Parameters:
  ///   - stored: the responses of the key, the newest first.
  ///   - response: the response that was received.
  /// - Returns: the responses to store, the newest first.
  public static func variants(_ stored: [CachedResponse], adding response: CachedResponse) -> [CachedResponse] {
    let others = stored.filter { !$0.isReplaced(by: response) }
    return [response] + others.prefix(variantLimit - 1)
  }

  /// The variants of a key with the new response, without the oldest ones that would cost more than the limit together.
  static func variants(
    _ stored: [CachedResponse], adding response: CachedResponse, costLimit: Int
  ) -> [CachedResponse] {
    var room = costLimit
    return Array(
      variants(stored, adding: response).prefix { variant in
        room -= variant.cost
        return room >= 0
      })
  }

  private func isReplaced(by newer: CachedResponse) -> Bool {
    guard variant == newer.variant, facts.varyingNames == newer.facts.varyingNames else { return false }
    // A whole response to GET also replaces a response to HEAD.
    return method == newer.method || (newer.method == .get && newer.contentRange == nil)
  }
}

// MARK: The request's fields that the server chose the response by (RFC 9111, section 4.1)

extension CachedResponse {
  /// The most names that are compared: a server could send thousands. A response with more matches no other request.
  static let varyingNameLimit = 64

  /// The names in `Vary` in lower case, sorted and each once; `nil` when `*` says that no request is like another.
  /// Encoded content matches only requests with the same `Accept-Encoding`, even if `Vary` doesn't name that field.
  /// Other callers expect the transport to decode the content.
  static func varyingNames(in headers: HTTPHeaders, method: HTTPMethod) -> [String]? {
    var names: Set<String> = method == .get && headers["Content-Encoding"] != nil ? ["accept-encoding"] : []
    guard headers["Vary"] != nil else { return names.sorted() }
    for value in headers.values(for: "Vary") {
      for member in value.split(separator: ",") {
        names.insert(member.trimmingCharacters(in: .whitespaces).lowercased())
      }
    }
    names.remove("")
    return names.contains("*") || names.count > varyingNameLimit ? nil : names.sorted()
  }

  /// A digest of the request's fields of these names; empty without names. A field such as `Cookie` holds a secret, and
  /// only the digest of a secret is stored.
  ///
  /// Lines of one field are one value, and white space around its members doesn't count. A missing field differs from
  /// an empty one.
  static func variant(of request: HTTPHeaders, names: [String], salt: Data) -> [UInt8] {
    guard !names.isEmpty else { return [] }
    let parts = names.flatMap { name in
      let values = request.values(for: name)
      let members = values.flatMap { value in
        value.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
      }
      return [Array(name.utf8), [values.isEmpty ? 0 : 1], Array(members.joined(separator: ",").utf8)]
    }
    return SHA256.hash(ofParts: [Array(salt)] + parts)
  }

  /// A digest of the request's fields that `Vary` of the response names.
  static func variant(of request: HTTPHeaders, to method: HTTPMethod, _ response: HTTPHeaders, salt: Data) -> [UInt8] {
    variant(of: request, names: varyingNames(in: response, method: method) ?? [], salt: salt)
  }
}

extension CachedResponse: DescriptionOnly {
  /// Method, URL without secrets, status and size.
  public var description: String {
    "\(method) \(Redaction.standard.url(url.absoluteString)): \(statusCode), \(body.count) bytes"
  }
}
