/// A key that is equal for requests that may share a transfer. It has everything that is sent to the server, and every
/// fact that a later layer or the transport reads to choose the response. Credentials are a part of it, so that no
/// response passes from one identity to another.
struct CoalescingKey: Hashable, Sendable {
  /// The request. Copying the key copies one reference.
  let request: TransportRequest
  /// The hash, calculated once: a key is looked up more than once, and its strings are long.
  private let hash: Int

  /// The key of a request as it would be sent, with its credentials; `nil` for a request that needs its own transfer.
  /// Such a request does more than read, has a body, or stores its response outside of memory. Or it waits for a
  /// challenge of its own, because a server counts the responses to each. Each request keeps its own timeout of the
  /// whole response. The transport applies the other timeouts once for the transfer.
  init?(_ request: TransportRequest) {
    guard request.method.isSafe, case .none = request.body, request.receiver == nil, request.onProgress == nil,
      !(request.context.isSigned && request.context.credentialNames.isEmpty)
    else { return nil }
    self.request = request
    var hasher = Hasher()
    hasher.combine(request.address)
    // The names aren't hashed, because two names that differ in case are equal.
    for field in request.headers.fields { hasher.combine(field.value) }
    hash = hasher.finalize()
  }

  static func == (left: CoalescingKey, right: CoalescingKey) -> Bool {
    let (one, other) = (left.request, right.request)
    // A transfer that ends has to find itself, even if an app's option equals nothing. An attempt and its retry differ
    // in the attachment alone.
    if one.isSame(as: other), one.attachment === other.attachment { return true }
    let (context, counterpart) = (one.context, other.context)
    // The facts by which a cache chooses between a stored response, an error and the server's response.
    guard context.isRetry == counterpart.isRetry, context.isOffline == counterpart.isOffline,
      context.lastChange == counterpart.lastChange, one.options.cachePolicy == other.options.cachePolicy,
      one.options.connectivity == other.options.connectivity, one.options.mayShareResponse(with: other.options),
      left.hash == right.hash, one.responseLimit == other.responseLimit, one.method == other.method,
      one.followsRedirects == other.followsRedirects, one.address == other.address,
      one.timeouts == other.timeouts, one.needsNewConnection == other.needsNewConnection
    else { return false }
    return one.headers.fields.elementsEqual(other.headers.fields) { field, counterpart in
      field.value == counterpart.value && field.name.equalsIgnoringASCIICase(counterpart.name)
    }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

private enum CoalescesKey: LibraryOptionKey { static var defaultValue: Bool? { nil } }

extension RequestOptions {
  /// Whether the request shares the transfer of an equal request; `nil` uses the default of the layer `.coalescing`.
  public var coalesces: Bool? {
    get { self[CoalescesKey.self] }
    set { self[CoalescesKey.self] = newValue }
  }
}
