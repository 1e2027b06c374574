public import Foundation

/// The content of a request, described; it becomes bytes when the request is sent.
///
/// A JSON object is written as a literal, `["userId": userId, "password": password]`, and anything `Encodable` as
/// `.json(value)`. Both are encoded by the configuration's encoder.
public struct RequestBody: Sendable {
  /// The media type that goes out as `Content-Type`, unless the request's own headers name another.
  public let contentType: String?
  private let makeContent: @Sendable (JSONEncoder) throws -> TransportBody

  private init(contentType: String?, makeContent: @escaping @Sendable (JSONEncoder) throws -> TransportBody) {
    self.contentType = contentType
    self.makeContent = makeContent
  }

  /// JSON of any encodable value.
  public static func json(_ value: some Encodable & Sendable) -> RequestBody {
    RequestBody(contentType: "application/json") { encoder in .data(try encoder.encode(value)) }
  }

  /// Bytes as they are.
  public static func data(_ data: Data, contentType: String) -> RequestBody {
    RequestBody(contentType: contentType) { _ in .data(data) }
  }

  /// The bytes to send. Runs the value's own `encode(to:)`, on the thread that sends the request.
  func content(encoder: JSONEncoder) throws -> TransportBody {
    try makeContent(encoder)
  }
}

extension RequestBody: ExpressibleByDictionaryLiteral {
  /// Creates a JSON object. Of a name that is written twice the last value counts.
  public init(dictionaryLiteral elements: (String, any Encodable & Sendable)...) {
    let members = elements.map { ($0.0, AnyEncodable(value: $0.1)) }
    self = .json(Dictionary(members, uniquingKeysWith: { $1 }))
  }
}

extension RequestBody: ExpressibleByArrayLiteral {
  /// Creates a JSON array.
  public init(arrayLiteral elements: (any Encodable & Sendable)...) {
    self = .json(elements.map(AnyEncodable.init))
  }
}

/// A value of any type, for literals whose members have different ones.
private struct AnyEncodable: Encodable, Sendable {
  let value: any Encodable & Sendable

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
