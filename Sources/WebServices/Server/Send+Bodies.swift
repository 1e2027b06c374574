public import Foundation

// The library's other bodies.
extension Server.Send {
  /// Text as UTF-8.
  public static func text(_ text: String) -> Server.Send { Server.Send(.text(text)) }

  /// A form of any encodable value that has keys, such as a dictionary of text, whose names are sorted.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - encoder: how arrays, nested values, dates and booleans are written.
  public static func form(
    _ value: some Encodable & Sendable, encoder: QueryEncoder = QueryEncoder()
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
