public import Foundation

// The library's other bodies.
extension Server.Send {
  /// Text as UTF-8.
  public static func text(_ text: String) -> Server.Send { Server.Send(.text(text)) }

  /// A form of names and values, in the order of the names.
  public static func form(_ fields: [String: String]) -> Server.Send {
    let items = fields.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    return Server.Send(.form(items))
  }

  /// A form of any encodable value that has keys.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - encoder: how arrays, nested values, dates and booleans are written.
  public static func form(
    encoding value: some Encodable & Sendable, encoder: QueryEncoder = QueryEncoder()
  ) -> Server.Send {
    Server.Send(.form(value, encoder: encoder))
  }

  /// Fields, data and files (RFC 7578).
  public static func multipart(_ body: MultipartBody) -> Server.Send { Server.Send(.multipart(body)) }

  /// Fields, data and files (RFC 7578), in their order.
  public static func multipart(_ parts: MultipartBody.Part...) -> Server.Send { .multipart(MultipartBody(parts)) }

  /// A file, read while it is sent.
  ///
  /// - Parameters:
  ///   - url: a `file:` URL of a regular file.
  ///   - type: the media type; `nil` means by the file name's extension.
  public static func file(_ url: URL, type: String? = nil) -> Server.Send {
    Server.Send(.file(url, contentType: type))
  }
}
