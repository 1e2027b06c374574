import Foundation

/// Finds what a request holds that must not be read: a server may repeat a password in prose, where no name tells it
/// from other words.
struct RequestSecrets {
  let redaction: Redaction

  /// Bodies above this aren't searched.
  private static let bodyLimit = 256 * 1024

  /// The values of secret header fields, query items, and JSON members or form fields of the body.
  func values(in request: TransportRequest) -> [String] {
    let headers = request.headers.filter { redaction.hides(header: $0.name) }.map(\.value)
    let components = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
    return headers + values(of: components?.queryItems ?? []) + values(in: request.body)
  }

  private func values(of items: [URLQueryItem]) -> [String] {
    items.filter { redaction.hides(field: $0.name) }.compactMap(\.value)
  }

  /// The values of secret JSON members or form fields. A file isn't searched, and of a stream what it discloses.
  func values(in body: TransportBody) -> [String] {
    if case .stream(let stream) = body, let stream = stream as? any DisclosingBodyStream {
      return values(of: stream.disclosedFields) + stream.disclosedBodies.flatMap(values(in:))
    }
    guard case .data(let data) = body, data.count <= Self.bodyLimit else { return [] }
    if let json = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) {
      return strings(in: json, isSecret: false)
    }
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
      object.flatMap { strings(in: $0.value, isSecret: isSecret || redaction.hides(field: $0.key)) }
    case let array as [Any]:
      array.flatMap { strings(in: $0, isSecret: isSecret) }
    case let string as String where isSecret:
      [string]
    default:
      []
    }
  }
}
