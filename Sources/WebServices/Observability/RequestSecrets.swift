import Foundation

/// Finds what a request holds that must not be read: a server may repeat a password in prose, where no name tells it
/// from other words.
struct RequestSecrets {
  let redaction: Redaction

  /// Cookies below this are no secrets, but words such as `true`.
  private static let shortestCookie = 8

  /// The values of secret header fields, query items, the URL's user info, and named members of the body.
  func values(in request: TransportRequest) -> [String] {
    let headers = request.headers.filter { redaction.hides(header: $0.name) }.flatMap { values(of: $0) }
    let components = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
    let userInfo = [components?.password, components?.password == nil ? components?.user : nil].compactMap { $0 }
    return headers + userInfo + values(of: components?.queryItems ?? [])
      + BodySearch(request, redaction: redaction).values + request.secrets
  }

  /// A field's value, and the secrets that it is made of.
  private func values(of field: HTTPHeaders.Field) -> [String] {
    if field.name.equalsIgnoringASCIICase("Cookie") {
      let cookies = field.value.split(separator: ";").compactMap { cookie in
        cookie.firstIndex(of: "=").map { String(cookie[cookie.index(after: $0)...]) }
      }
      return [field.value] + cookies.filter { $0.utf8.count >= Self.shortestCookie }
    }
    guard let space = field.value.firstIndex(of: " ") else { return [field.value] }
    let credentials = String(field.value[field.value.index(after: space)...])
    guard String(field.value[..<space]).equalsIgnoringASCIICase("Basic"),
      let pair = Data(base64Encoded: credentials).flatMap({ String(data: $0, encoding: .utf8) })
    else { return [field.value, credentials] }
    let password = pair.firstIndex(of: ":").map { String(pair[pair.index(after: $0)...]) }
    return [field.value, credentials, pair] + [password].compactMap { $0 }
  }

  private func values(of items: [URLQueryItem]) -> [String] {
    items.filter { redaction.hides(path: $0.name) }.compactMap(\.value)
  }
}
