/// The key of a stored response: the URL of the request and the user.
package struct CacheKey: Hashable, Sendable {
  /// The URL without its fragment and user info, with scheme and host in lower case, and without the scheme's own port
  /// (RFC 9110, section 4.2.3). Two ways to escape a path are two keys.
  let url: String
  /// The user whose credentials the request has; `nil` for a request without credentials. A response of one user is
  /// never used for another, or for nobody.
  let identity: String?

  /// The digest of the fields in the request's header that may carry credentials; `nil` without such a field. It
  /// reveals neither a credential nor an account. A `Host` field is one of them, so that virtual hosts are kept apart
  /// too.
  ///
  /// - Parameters:
  ///   - request: the request with its credentials.
  ///   - credentialNames: harmless fields that carry credentials in this request.
  ///   - fields: tells which fields may carry credentials.
  static func identity(
    of request: TransportRequest, credentialNames: [String] = [],
    fields: CredentialFields = CredentialFields(redaction: .standard)
  ) -> String? {
    let carriers = request.headers.fields.filter { fields.contain($0.name, or: credentialNames) }
    guard !carriers.isEmpty else { return nil }
    let named = carriers.map { "\($0.name.lowercased()):\($0.value)" }
    return SHA256.hash(ofParts: named.sorted().map { Array($0.utf8) }).hexadecimal
  }
}
