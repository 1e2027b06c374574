/// Whether a request may be sent more than once. It is found out once for a request, not for each attempt.
public struct Repeatability: Hashable, Sendable {
  /// Whether sending it twice means the same as sending it once.
  public var isIdempotent: Bool
  /// Whether its body can be had again.
  public var bodyIsReplayable: Bool

  /// Creates a value from what is known.
  public init(isIdempotent: Bool, bodyIsReplayable: Bool) {
    self.isIdempotent = isIdempotent
    self.bodyIsReplayable = bodyIsReplayable
  }

  /// Judges a request. What the caller declares counts; otherwise a method that is idempotent by definition (RFC 9110,
  /// section 9.2.2), or an `Idempotency-Key` by which the server recognizes a repetition.
  public init(method: HTTPMethod, headers: HTTPHeaders, declaredIdempotent: Bool? = nil, bodyIsReplayable: Bool) {
    self.bodyIsReplayable = bodyIsReplayable
    isIdempotent =
      declaredIdempotent ?? (method.isIdempotent || headers["Idempotency-Key"]?.isEmpty == false)
  }
}

private enum IsIdempotentKey: RequestOptionKey {
  static var defaultValue: Bool? { nil }
}

extension RequestOptions {
  /// Whether sending the request twice has the same effect as sending it once. `nil` means: the method is idempotent, or the
  /// headers have an `Idempotency-Key`.
  public var isIdempotent: Bool? {
    get { self[IsIdempotentKey.self] }
    set { self[IsIdempotentKey.self] = newValue }
  }
}
