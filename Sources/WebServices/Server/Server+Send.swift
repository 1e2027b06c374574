public import Foundation

extension Server {
  /// The body of a request: the library's bodies under short names.
  public struct Send: Sendable {
    /// The body; `nil` for none.
    public let body: RequestBody?

    /// Sends any body.
    ///
    /// - Parameter body: the body; `nil` sends none.
    public init(_ body: RequestBody?) { self.body = body }

    /// Nothing.
    public static func void() -> Send { Send(nil) }

    /// JSON of a value.
    public static func json(_ value: some Encodable & Sendable) -> Send { Send(.json(value)) }

    /// Text as UTF-8.
    public static func text(_ text: String) -> Send { Send(.text(text)) }

    /// Bytes, unchanged.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - type: the media type, which goes out as `Content-Type`.
    public static func data(_ data: Data, type: String = "application/octet-stream") -> Send {
      Send(.data(data, contentType: type))
    }

    /// A form of any encodable value that has keys, such as a dictionary of text, whose names are sorted.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - encoder: how arrays, nested values, dates and booleans are written; `nil` means as the `queryEncoder` of the
    ///     service's configuration does.
    public static func form(_ value: some Encodable & Sendable, encoder: QueryEncoder? = nil) -> Send {
      Send(.form(value, encoder: encoder))
    }

    /// Fields, data and files (RFC 7578).
    public static func multipart(_ body: MultipartBody) -> Send { Send(.multipart(body)) }

    /// Fields, data and files (RFC 7578), in their order.
    public static func multipart(_ parts: MultipartBody.Part...) -> Send { .multipart(MultipartBody(parts)) }

    /// A file, read while it is sent.
    ///
    /// - Parameters:
    ///   - url: a `file:` URL of a regular file.
    ///   - type: the media type; `nil` means by the file name's extension.
    public static func file(_ url: URL, type: String? = nil) -> Send { Send(.file(url, contentType: type)) }
  }
}
