import Foundation

/// A function, because `dump` would show an array.
private enum SecretsKey: LibraryOptionKey { static var defaultValue: @Sendable () -> [String] { { [] } } }

extension RequestOptions {
  /// Secret values of the request that the redaction can't recognize by their names. Descriptions hide these values.
  package var secrets: [String] {
    get { self[SecretsKey.self]() }
    set { self[SecretsKey.self] = { newValue } }
  }
}

/// Credentials that are attached to a request. Their secret values are asked for when a request is to be described, as
/// few requests are.
package protocol SecretHolder: AnyObject, Sendable {
  /// The values that no description may show.
  var secrets: [String] { get }
}

/// The parts of a request that may hold secrets, for a later search. A server may repeat a password in prose without a
/// name.
package struct SecretSource: Sendable {
  private let headers: HTTPHeaders
  private let url: URLForm
  private let body: Data
  private let secrets: [String]
  private let former: [SecretSource]

  /// The most bytes of a body that are searched.
  package static let bodyLimit = 1024 * 1024

  package init(_ request: TransportRequest) {
    headers = request.headers
    url = request.urlForm
    body = Data((request.body.data ?? Data()).prefix(Self.bodyLimit))
    // The values alone: an error that is kept must not retain the request.
    secrets = (request.secrets?.secrets ?? []) + request.options.secrets
    former = request.formerRequests
  }

  /// The values of secret header fields, query items and members of the body, and the URL's user info.
  func values(namedBy redaction: Redaction) -> [String] {
    let fields = headers.filter { redaction.hides(header: $0.name) }.flatMap { Self.values(of: $0) }
    let reference = try? URLReference(url.text)
    let items = (reference?.queryItems ?? []).filter { redaction.hides(path: $0.name) }
    return fields + [reference?.credential].compactMap { $0 } + items.compactMap(\.value)
      + members(namedBy: redaction) + secrets + former.flatMap { $0.values(namedBy: redaction) }
  }

  /// A field's value, and the secrets in it.
  private static func values(of field: HTTPHeaders.Field) -> [String] {
    if field.name.equalsIgnoringASCIICase("Cookie") {
      let cookies = field.value.split(separator: ";").compactMap { cookie in
        cookie.firstIndex(of: "=").map { String(cookie[cookie.index(after: $0)...]) }
      }
      return [field.value] + cookies.filter(\.isLongAsSecret)
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

  /// The values behind secret names in the body, with their escapes and with the first level of them resolved.
  private func members(namedBy redaction: Redaction) -> [String] {
    guard headers.contentType?.mayHaveFields != false else { return [] }
    var values: [ArraySlice<UInt8>] = []
    for text in DecodedText.all(of: Array(body)) {
      for (range, kind) in FieldSearch(text.bytes, redaction: redaction, searchesRest: true).found {
        switch kind {
        case .text: values.append(text.bytes[range])
        case .json: values += FieldSearch.leaves(of: text.bytes[range])
        case .rest: values.append(FieldSearch.value(of: text.bytes[range]))
        }
      }
    }
    return values.flatMap { DecodedText.all(of: Array($0)).prefix(2) }.map { String(decoding: $0.bytes, as: UTF8.self) }
      .filter { !["true", "false", "null"].contains($0) }
  }
}

extension String {
  /// Whether a part of a field's value is long enough for a secret. Shorter parts are words such as `true` and `auth`,
  /// which would be hidden everywhere.
  package var isLongAsSecret: Bool { utf8.count >= 8 }
}

extension HTTPHeaders.MediaType {
  /// Whether the content may have named fields. Long content is searched slowly, and a picture would be for nothing.
  fileprivate var mayHaveFields: Bool {
    subtype != "octet-stream" && !["image", "audio", "video", "font"].contains(type)
  }
}
