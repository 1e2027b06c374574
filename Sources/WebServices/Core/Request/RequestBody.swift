public import Foundation

/// Describes the content of a request, which becomes bytes when the request is sent.
///
/// A JSON object is written as a literal, `["userId": userId, "nick": nil]`, and anything `Encodable` as
/// `.json(value)`. Both are encoded by the configuration's encoder. There are forms, text, files, streams and multipart
/// bodies too, and each can be sent compressed.
///
/// The article <doc:SendingBodies> has samples.
public struct RequestBody: Sendable, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// The media type that goes out as `Content-Type`, unless the request's own headers name another.
  public let contentType: String?
  /// Whether the same bytes can be sent again, for a redirect or a retry.
  public let isReplayable: Bool
  /// Compresses the content by gzip, as `Content-Encoding` then says; `nil` if the content is sent as it is. A second
  /// compression would make it larger.
  package let compress: (@Sendable (TransportBody) throws -> TransportBody)?
  /// Makes the bytes before compression, with the encoders of the configuration. Runs the value's own `encode(to:)`, on
  /// the thread that sends the request.
  package let content: @Sendable (WebServiceConfiguration) throws -> TransportBody

  package init(
    contentType: String?, isReplayable: Bool = true,
    compress: (@Sendable (TransportBody) throws -> TransportBody)? = nil,
    content: @escaping @Sendable (WebServiceConfiguration) throws -> TransportBody
  ) {
    self.contentType = contentType
    self.isReplayable = isReplayable
    self.compress = compress
    self.content = content
  }

  /// Any encodable value as JSON.
  ///
  /// - Parameter value: encoded by the configuration's `encoder` on the thread that sends the request. If it can't be
  ///   encoded, the request fails with an error of kind `.invalidRequest`.
  public static func json(_ value: some Encodable & Sendable) -> RequestBody {
    RequestBody(contentType: "application/json") { configuration in
      // A literal writes itself, because an encoder wouldn't keep the order of its members.
      let encoder = configuration.encoder
      return .data(try (value as? JSONLiteral)?.data(with: encoder) ?? encoder.encode(value))
    }
  }

  /// A JSON object or array that is written in the code, with values of any types.
  public static func json(_ literal: JSONLiteral) -> RequestBody {
    RequestBody(contentType: "application/json") { .data(try literal.data(with: $0.encoder)) }
  }

  /// Bytes, unchanged.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - contentType: the media type. A `Content-Type` among the headers of the request or the configuration replaces
  ///     it.
  public static func data(_ data: Data, contentType: String) -> RequestBody {
    RequestBody(contentType: contentType) { _ in .data(data) }
  }

  /// Text as UTF-8, of the type `text/plain; charset=utf-8`.
  public static func text(_ text: String) -> RequestBody {
    RequestBody(contentType: "text/plain; charset=utf-8") { _ in .data(Data(text.utf8)) }
  }

  private static let formType = "application/x-www-form-urlencoded"

  /// A form, written by the rules of WHATWG URL, section 5.2. An item without a value gets an empty one.
  public static func form(_ items: [URLQueryItem]) -> RequestBody {
    RequestBody(contentType: formType) { _ in .data(formData(items)) }
  }

  /// A form of any encodable value that has keys.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - encoder: how arrays, nested values, dates and booleans are written; `nil` means as the configuration's
  ///     `queryEncoder` does. A value that it can't write ends the request with an error of kind `.invalidRequest`.
  public static func form(_ value: some Encodable & Sendable, encoder: QueryEncoder? = nil) -> RequestBody {
    RequestBody(contentType: formType) { configuration in
      .data(formData(try (encoder ?? configuration.queryEncoder).encode(value)))
    }
  }

  private static func formData(_ items: [URLQueryItem]) -> Data {
    Data(QueryEncoder.Escaping.form.query(of: items.map { URLQueryItem(name: $0.name, value: $0.value ?? "") }).utf8)
  }

  /// A file, which is read while it is sent.
  ///
  /// - Parameters:
  ///   - url: a `file:` URL of a regular file. If the file can't be read, the request fails when it is sent.
  ///   - contentType: the media type; `nil` uses the file name's extension, or else `application/octet-stream`.
  public static func file(_ url: URL, contentType: String? = nil) -> RequestBody {
    let type = contentType ?? HTTPHeaders.MediaType(fileExtension: url.pathExtension).description
    return RequestBody(contentType: type) { _ in .file(url) }
  }

  /// Bytes that are generated while they are sent.
  ///
  /// - Parameters:
  ///   - stream: opened once for each sending. A stream without a length is sent in chunks. A negative length fails the
  ///     request with an error of kind `.invalidRequest`.
  ///   - contentType: the media type. A `Content-Type` among the headers of the request or the configuration replaces
  ///     it.
  public static func stream(_ stream: any TransportBody.Stream, contentType: String) -> RequestBody {
    RequestBody(contentType: contentType, isReplayable: stream.isReplayable) { _ in
      if let length = stream.length, length < 0 {
        throw RequestBodyError(.wrongLength, "the stream's length is negative")
      }
      return .stream(stream)
    }
  }

  /// Creates a JSON object, whose members keep their order. If a name occurs twice, the last value counts.
  public init(dictionaryLiteral elements: (String, JSONLiteral.Value)...) {
    self = .json(JSONLiteral(object: elements))
  }

  /// Creates a JSON array.
  public init(arrayLiteral elements: JSONLiteral.Value...) { self = .json(JSONLiteral(array: elements)) }
}
