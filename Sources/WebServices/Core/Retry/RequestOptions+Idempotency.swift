private enum IsIdempotentKey: LibraryOptionKey { static var defaultValue: Bool? { nil } }

extension RequestOptions {
  /// Whether sending the request twice has the same effect as sending it once. `nil` means: the method is idempotent,
  /// or the headers have an `Idempotency-Key`.
  public var isIdempotent: Bool? {
    get { self[IsIdempotentKey.self] }
    set { self[IsIdempotentKey.self] = newValue }
  }

  /// Whether a request with these options may be sent more than once. The caller's declaration counts first. Then a
  /// method counts that is idempotent by definition (RFC 9110, section 9.2.2), or an `Idempotency-Key`, by which the
  /// server recognizes a repetition.
  package func isIdempotent(_ method: HTTPMethod, _ headers: HTTPHeaders) -> Bool {
    isIdempotent ?? (method.isIdempotent || headers["Idempotency-Key"]?.isEmpty == false)
  }
}

extension TransportRequest {
  var isIdempotent: Bool { options.isIdempotent(method, headers) }
}
