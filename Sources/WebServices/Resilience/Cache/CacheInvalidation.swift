/// Decides which stored responses a request makes obsolete that changes a resource (RFC 9111, section 4.4).
enum CacheInvalidation {
  /// The URLs whose stored responses are obsolete: the request's, and those of the same origin in `Location` and
  /// `Content-Location`. The list is empty after an error, or where the method only reads.
  static func urls(for response: WebServiceResponse, to request: TransportRequest) -> [HTTPURL] {
    guard !request.method.isSafe, (200...399).contains(response.statusCode), let target = request.target
    else { return [] }
    let named = ["Location", "Content-Location"].compactMap { response.headers[$0] }.compactMap { location in
      try? target.resolving(location)
    }
    return [target] + named.filter { $0.hasSameOrigin(as: target) }
  }
}
