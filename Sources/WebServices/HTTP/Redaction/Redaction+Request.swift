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

  /// The most bytes of a body that are searched.
  package static let bodyLimit = 1024 * 1024

  /// The request, after those that led to it. The first ones of a long chain are left out, because a server may make a
  /// download of any number of parts and redirects.
  package static func all(of request: TransportRequest) -> [SecretSource] {
    var sources = Array(request.formerRequests.suffix(255))
    sources.append(SecretSource(request))
    return sources
  }

  private init(_ request: TransportRequest) {
    headers = request.headers
    url = request.urlForm
    body = request.body.bytesInMemory(upTo: Self.bodyLimit)
    // The values alone: an error that is kept must not retain the request.
    secrets = (request.secrets?.secrets ?? []) + request.options.secrets
  }

  /// The values of secret header fields, query items and members of the body, and the URL's user info.
  func values(namedBy redaction: Redaction) -> [[UInt8]] {
    let fields = headers.filter { redaction.hides(header: $0.name) }
    // The search that hides the values, so that it hides none which a server can repeat.
    var named = Self.values(in: url.text.utf8, redaction, isURL: true)
    for field in fields { named += Self.values(in: field.value.utf8, redaction) }
    if headers.contentType?.mayHaveFields != false { named += Self.values(in: body, redaction) }
    let credential = try? URLReference(url.text).credential
    let texts = fields.flatMap(Self.values) + [credential].compactMap { $0 } + secrets
    named += texts.map { Array($0.utf8) }
    // Bytes, because a percent sign and two digits in a secret become no text. They become a byte wherever the escapes
    // of a text are resolved, so each value is searched for in all forms. Behind a NUL no escape is cut off.
    return named.flatMap { DecodedText.all(of: $0 + [0]).map { Array($0.bytes.dropLast()) } }
  }

  /// A field's value, and the secrets in it.
  private static func values(of field: HTTPHeaders.Field) -> [String] {
    if field.name.equalsIgnoringASCIICase("Cookie") {
      let cookies = field.value.split(separator: ";").compactMap { cookie in
        cookie.firstIndex(of: "=").map { cookie[cookie.index(after: $0)...].trimmingCharacters(in: ["\""]) }
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

  /// The values behind secret names in a text, with their escapes.
  private static func values(in bytes: some Sequence<UInt8>, _ redaction: Redaction, isURL: Bool = false) -> [[UInt8]] {
    var values: [ArraySlice<UInt8>] = []
    for text in DecodedText.all(of: Array(bytes)) {
      for (range, kind) in FieldSearch(text.bytes, redaction: redaction, isURL: isURL, searchesRest: true).found {
        switch kind {
        case .text: values.append(text.bytes[range])
        case .json: values += FieldSearch.leaves(of: text.bytes[range])
        case .rest: values.append(FieldSearch.value(of: text.bytes[range]))
        }
      }
    }
    return values.map(Array.init).filter { !literals.contains($0) }
  }

  private static let literals = Set(["true", "false", "null"].map { Array($0.utf8) })
}

extension String {
  /// Whether a part of a field's value is long enough for a secret. Shorter parts are words such as `true` and `auth`,
  /// which would be hidden everywhere.
  package var isLongAsSecret: Bool { utf8.count >= 8 }
}

extension HTTPHeaders.MediaType {
  /// Whether the content may have named fields. Long content is searched slowly, and a picture would be for nothing.
  package var mayHaveFields: Bool {
    !["octet-stream", "pdf", "zip"].contains(subtype) && !["image", "audio", "video", "font"].contains(type)
  }
}
