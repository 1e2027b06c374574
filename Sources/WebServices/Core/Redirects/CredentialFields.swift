/// Tells which header fields of a request count as credentials: all but those that are known to be harmless.
///
/// No list of names for credentials is complete. A cache shares a response only among requests with the same
/// credentials, and a redirect to another origin carries none. So a field that is missing in the list of harmless
/// fields costs a cache hit, or a field at another origin. A missing credential would show one user's data to another
/// user.
///
/// Make one value for many look-ups, because `init` asks the redaction about each harmless field.
package struct CredentialFields: Sendable {
  /// The harmless fields, in lower case.
  private let harmless: Set<String>
  /// The harmless fields of nearly every request, in their usual case. Comparing them is faster than hashing.
  private let usual: [String]

  /// - Parameter redaction: a field that an app has declared secret isn't harmless.
  package init(redaction: Redaction) {
    harmless = Self.harmless.filter { !redaction.hides(header: $0) }
    usual = ["Accept", "User-Agent", "Content-Type"].filter { !redaction.hides(header: $0) }
  }

  /// Whether a field may carry credentials.
  ///
  /// - Parameters:
  ///   - name: the name of the field, compared without case.
  ///   - names: harmless fields that carry credentials in this request.
  package func contain(_ name: String, or names: [String] = []) -> Bool {
    if names.contains(where: { $0.equalsIgnoringASCIICase(name) }) { return true }
    return !usual.contains(name) && !harmless.contains(name.lowercased())
  }

  private static let harmless: Set<String> = [
    // Preferences about the response (RFC 9110, section 12.5; RFC 7240; RFC 9218).
    "accept", "accept-charset", "accept-encoding", "accept-language", "prefer", "priority",
    // The format of the body (RFC 9110, section 8).
    "content-type", "content-encoding", "content-language", "content-length", "content-location",
    // The requested part and version. Validators and event IDs come from the server, which has led the request to the
    // other origin (RFC 9110, sections 13.1 and 14.2; HTML Standard, section 9.2.4).
    "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "range", "last-event-id",
    // Instructions to caches and to the connection (RFC 9110, sections 7.6.1 and 10.1; RFC 9111, sections 5.2 and 5.4).
    "cache-control", "pragma", "connection", "expect", "te",
    // The program and the time of sending (RFC 9110, sections 6.6.1 and 10.1.5).
    "user-agent", "date",
    // The name of one request in traces (W3C Trace Context). It differs for every request, so a cache would never hit.
    // The last two are conventions.
    "traceparent", "tracestate", "x-request-id", "x-correlation-id",
  ]
}

extension HTTPHeaders {
  /// A copy for another origin: without the fields that may carry credentials, and without `Host`, which names the
  /// former origin.
  ///
  /// - Parameter names: harmless fields that carry credentials in this request.
  package func withoutCredentials(_ redaction: Redaction, or names: [String] = []) -> HTTPHeaders {
    let credentials = CredentialFields(redaction: redaction)
    return HTTPHeaders(fields.filter { !credentials.contain($0.name, or: names) })
  }
}
