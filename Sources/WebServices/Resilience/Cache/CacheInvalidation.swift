import Foundation

/// Decides what a request that changes something makes obsolete (RFC 9111, section 4.4).
enum CacheInvalidation {
  /// The URLs whose stored answers are no longer right: what was asked, and what `Location` and `Content-Location` name
  /// on the same origin. None after an error, or where the method only reads.
  static func urls(for response: WebServiceResponse, to request: TransportRequest) -> [URL] {
    guard !request.method.isSafe, (200...399).contains(response.statusCode) else { return [] }
    let named = ["Location", "Content-Location"].compactMap { response.headers[$0] }.compactMap { location in
      RedirectLocation.resolve(location, against: request.url)
    }
    return [request.url] + named.filter { Redirect.haveSameOrigin($0, request.url) }
  }
}
