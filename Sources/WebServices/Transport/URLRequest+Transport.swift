import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// Longer than any limit that Foundation, which counts in whole seconds, should keep: the engine and
  /// `FoundationSession` keep time themselves.
  static let timeoutCeiling: TimeInterval = 15_768_000

  /// Foundation's form of a request, for sessions of which nothing more is known.
  init(_ request: TransportRequest) throws(TransportError) {
    try request.checkHead()
    let timeouts = try request.timeouts.checked()
    self.init(url: request.url)
    if request.method != .get { httpMethod = request.method.rawValue }
    timeoutInterval = timeouts.whole.map { ($0 + 1).rounded(.up) } ?? Self.timeoutCeiling
    httpShouldHandleCookies = false
    for field in request.headers where !field.isFraming {
      addValue(field.value, forHTTPHeaderField: field.name)
    }
    httpBody = try request.body.loaded()
  }
}

extension HTTPHeaders.Field {
  /// Whether it says where the content ends, which is the transport's to say.
  var isFraming: Bool {
    name.equalsIgnoringASCIICase("Content-Length") || name.equalsIgnoringASCIICase("Transfer-Encoding")
  }
}
