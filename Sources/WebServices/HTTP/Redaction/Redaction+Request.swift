import Foundation

private enum SecretsKey: LibraryOptionKey {
  static var defaultValue: [String] { [] }
}

extension RequestOptions {
  /// Secret values of the request that the redaction can't recognize by their names. Descriptions hide these values.
  package var secrets: [String] {
    get { self[SecretsKey.self] }
    set { self[SecretsKey.self] = newValue }
  }
}

extension Redaction {
  /// The secret values of a request: secret header fields and query items, the URL's user info, and named members of
  /// the body. A server may repeat a password in prose without a name.
  package func secretValues(in request: TransportRequest) -> [String] {
    let headers = request.headers.filter { hides(header: $0.name) }.flatMap { Self.secretValues(of: $0) }
    let url = try? URLReference(request.address)
    let items = (url?.queryItems ?? []).filter { hides(path: $0.name) }
    return headers + [url?.credential].compactMap { $0 } + items.compactMap(\.value)
      + BodySearch(request, redaction: self).values + request.secrets + request.options.secrets
  }

  /// A field's value, and the secrets in it.
  private static func secretValues(of field: HTTPHeaders.Field) -> [String] {
    if field.name.equalsIgnoringASCIICase("Cookie") {
      let cookies = field.value.split(separator: ";").compactMap { cookie in
        cookie.firstIndex(of: "=").map { String(cookie[cookie.index(after: $0)...]) }
      }
      // Shorter values aren't secrets but words such as `true`, which would be hidden everywhere.
      return [field.value] + cookies.filter { $0.utf8.count >= 8 }
    }
    guard let space = field.value.firstIndex(of: " ") else { return [field.value] }
    let credentials = String(field.value[field.value.index(after: space)...])
    guard String(field.value[..<space]).equalsIgnoringASCIICase("Basic"),
      let pair = Data(base64Encoded: credentials).flatMap({ String(data: $0, encoding: .utf8) })
    else { return [field.value, credentials] }
    // `user:password` (RFC 7617, section 2). A server may repeat the password alone.
    let password = pair.firstIndex(of: ":").map { String(pair[pair.index(after: $0)...]) }
    return [field.value, credentials, pair] + [password].compactMap { $0 }
  }
}
