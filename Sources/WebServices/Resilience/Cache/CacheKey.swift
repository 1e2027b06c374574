/// The key of a stored response: the URL of the request, the user and the session's scope.
package struct CacheKey: Hashable, Sendable {
  /// The URL without its fragment and user info, with scheme and host in lower case, and without the scheme's own port
  /// (RFC 9110, section 4.2.3). Two ways to escape a path are two keys.
  let url: String
  /// The user whose credentials the request has, and the session's scope; `nil` for a request without credentials over
  /// a session without a scope. A response of one user is never used for another, or for nobody.
  let identity: String?

  /// The digest of the session's scope and of the fields in the request's header that may carry credentials; `nil`
  /// without any. It reveals neither a credential nor an account. A `Host` field is one of them, so that virtual hosts
  /// are kept apart too.
  ///
  /// - Parameters:
  ///   - request: the request with its credentials, and the names of harmless fields that carry them in its context.
  ///   - fields: tells which fields may carry credentials.
  ///   - scope: the scope of the session that sends the request.
  static func identity(of request: TransportRequest, fields: CredentialFields, scope: String?) -> String? {
    let names = request.context.credentialNames
    let carriers = request.headers.fields.filter { fields.contain($0.name, or: names) }
    guard !carriers.isEmpty || scope != nil else { return nil }
    // No name of a field is empty.
    let named = carriers.map { "\($0.name.lowercased()):\($0.value)" } + (scope.map { [":\($0)"] } ?? [])
    return SHA256.hash(ofParts: named.sorted().map { Array($0.utf8) }).hexadecimal
  }
}
