import Foundation

/// Finds what a request holds that must not be read: a server may repeat a password in prose, where no name tells it
/// from other words.
struct RequestSecrets {
  let redaction: Redaction

  /// Bodies above this aren't searched.
  private static let bodyLimit = 256 * 1024
  /// Cookies below this are no secrets, but words such as `true`.
  private static let shortestCookie = 8

  /// The values of secret header fields, query items, the URL's user info, and JSON members or form fields of the body.
  func values(in request: TransportRequest) -> [String] {
    let headers = request.headers.filter { redaction.hides(header: $0.name) }.flatMap { values(of: $0) }
    let components = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
    let userInfo = [components?.password, components?.password == nil ? components?.user : nil].compactMap { $0 }
    return headers + userInfo + values(of: components?.queryItems ?? []) + values(in: request.body)
      + request.secrets
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

  /// The values of secret JSON members or form fields. A file isn't searched, and of a stream what it discloses.
  func values(in body: TransportBody) -> [String] {
    if case .stream(let stream) = body, let stream = stream as? any DisclosingBodyStream {
      return values(of: stream.disclosedFields) + stream.disclosedBodies.flatMap(values(in:))
    }
    guard case .data(let data) = body, !data.isEmpty, data.count <= Self.bodyLimit else { return [] }
    if let json = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) {
      return strings(in: json, isSecret: false)
    }
    let multipart = MultipartPart.secretContents(in: Array(data), redaction: redaction)
    guard multipart.isEmpty else { return multipart.map { String(decoding: $0, as: UTF8.self) } }
    guard let text = String(data: data, encoding: .utf8), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return []
    }
    let items = text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1).map { part in
        part.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String(part)
      }
      return URLQueryItem(name: parts.first ?? "", value: parts.count > 1 ? parts[1] : nil)
    }
    return values(of: items)
  }

  private func strings(in json: Any, isSecret: Bool) -> [String] {
    switch json {
    case let object as [String: Any]:
      object.flatMap { strings(in: $0.value, isSecret: isSecret || redaction.hides(path: $0.key)) }
    case let array as [Any]:
      array.flatMap { strings(in: $0, isSecret: isSecret) }
    case let string as String where isSecret:
      [string]
    case let number as NSNumber where isSecret:
      [number.stringValue]
    default:
      []
    }
  }
}
