import Foundation

/// A response to GET as a ``ResponseCache`` stores it.
///
/// The header fields of the response are stored unchanged, including `Set-Cookie`. Only those for one connection are
/// left out. Of the request's header fields, only a digest of those that `Vary` names is stored.
package struct CachedResponse: Sendable {
  /// The response without the fields for one connection (RFC 9111, section 3.1), marked as one from a cache.
  package let response: WebServiceResponse
  /// When the request was sent, by the wall clock.
  let requestTime: Date
  /// When the response was received, by the wall clock.
  let responseTime: Date
  /// A digest of the request's fields that the response's `Vary` names; empty when it names none.
  let variant: [UInt8]
  let facts: CacheFacts

  /// - Parameters:
  ///   - request: the fields of the request.
  ///   - requestTime: when the request asked the cache. A layer behind the cache may have held the request back, so the
  ///     response's metrics tell when it was sent.
  ///   - variant: the digest of those that `Vary` names; `nil` if it isn't known yet.
  init(
    _ response: WebServiceResponse, to request: HTTPHeaders = HTTPHeaders(), requestTime: Date, responseTime: Date,
    variant: [UInt8]? = nil
  ) {
    var stored = WebServiceResponse(
      statusCode: response.statusCode, headers: response.headers.withoutConnectionFields, url: response.urlForm,
      body: response.body, metrics: nil)
    stored.isDecoded = response.isDecoded
    stored.source = .earlierTransfer
    self.response = stored
    self.requestTime = response.metrics.map { max(requestTime, responseTime - $0.total) } ?? requestTime
    self.responseTime = responseTime
    facts = CacheFacts(stored, requestTime: self.requestTime, responseTime: responseTime)
    self.variant = variant ?? Self.variant(of: request, names: facts.varyingNames ?? [])
  }

  /// Whether the response may be delivered when the server fails. A stored error may not.
  var canStandIn: Bool { response.statusCode < 400 }

  /// The bytes that the response takes, roughly. A store counts them against its limit.
  package var cost: Int {
    // 64 and 512 bytes stand for the objects that a field and a response take besides their text.
    let fields = response.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
    // A directive takes as much, and its text may be a single byte.
    let directives = facts.control.directives.count * 64
    return response.body.count + fields + directives + response.urlForm.text.utf8.count + variant.count + 512
  }

  /// The most variants of one key, since each look-up compares all of them.
  static let variantLimit = 8

  /// The responses of one key after `new` was received, the newest first. The new response replaces the one that the
  /// same requests match. The oldest are left out if there are more than eight, or if they cost more than the limit.
  static func variants(_ stored: [CachedResponse], adding new: CachedResponse, costLimit: Int) -> [CachedResponse] {
    let others = stored.filter { $0.variant != new.variant }
    var room = costLimit
    return Array(
      ([new] + others.prefix(variantLimit - 1)).prefix { variant in
        room -= variant.cost
        return room >= 0
      })
  }

  // MARK: The request's fields that the server chose the response by (RFC 9111, section 4.1)

  /// The most names that are compared: a server could send thousands. A response with more matches no other request.
  static let varyingNameLimit = 64

  /// The names in `Vary` in lower case, sorted and each once; `nil` when `*` says that no request is like another.
  /// Encoded content matches only requests with the same `Accept-Encoding`, even if `Vary` doesn't name that field.
  /// Other callers expect the transport to decode the content.
  static func varyingNames(in headers: HTTPHeaders) -> [String]? {
    var names: Set<String> = headers["Content-Encoding"] == nil ? [] : ["accept-encoding"]
    for value in headers.values(for: "Vary") { names.formUnion(value.lowercased().fieldNames) }
    return names.contains("*") || names.count > varyingNameLimit ? nil : names.sorted()
  }

  /// A digest of the request's fields of these names; empty without names. A field such as `Cookie` holds a secret, and
  /// only the digest of a secret is stored.
  ///
  /// Lines of one field are one value, and white space around its members doesn't count. A missing field differs from
  /// an empty one.
  static func variant(of request: HTTPHeaders, names: [String]) -> [UInt8] {
    guard !names.isEmpty else { return [] }
    return SHA256.hash(
      ofParts: names.flatMap { name in
        let values = request.values(for: name)
        let members = values.joined(separator: ",").parts(separatedBy: ",").map(\.trimmingFieldWhitespace)
        return [Array(name.utf8), [values.isEmpty ? 0 : 1], Array(members.joined(separator: ",").utf8)]
      })
  }
}
