/// The facts that decide whether a request may be sent more than once.
package struct Repeatability: Hashable, Sendable {
  /// Whether sending it twice means the same as sending it once.
  package var isIdempotent: Bool
  /// Whether its body can be read again.
  package var bodyIsReplayable: Bool

  /// Judges a request. The caller's declaration counts first. Then a method counts that is idempotent by definition
  /// (RFC 9110, section 9.2.2), or an `Idempotency-Key`, by which the server recognizes a repetition.
  package init(method: HTTPMethod, headers: HTTPHeaders, declaredIdempotent: Bool? = nil, bodyIsReplayable: Bool) {
    self.bodyIsReplayable = bodyIsReplayable
    isIdempotent = declaredIdempotent ?? (method.isIdempotent || headers["Idempotency-Key"]?.isEmpty == false)
  }
}

private enum IsIdempotentKey: LibraryOptionKey { static var defaultValue: Bool? { nil } }

extension RequestOptions {
  /// Whether sending the request twice has the same effect as sending it once. `nil` means: the method is idempotent,
  /// or the headers have an `Idempotency-Key`.
  public var isIdempotent: Bool? {
    get { self[IsIdempotentKey.self] }
    set { self[IsIdempotentKey.self] = newValue }
  }
}
