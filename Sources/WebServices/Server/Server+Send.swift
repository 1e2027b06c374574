public import Foundation

extension Server {
  /// What goes out with a request: the library's bodies under short names.
  public struct Send: Sendable {
    /// The body; `nil` for none.
    public let body: RequestBody?

    /// Sends any body.
    public init(_ body: RequestBody?) {
      self.body = body
    }

    /// Nothing.
    public static func void() -> Send { Send(nil) }

    /// JSON of a value.
    public static func json(_ value: some Encodable & Sendable) -> Send { Send(.json(value)) }

    /// Bytes as they are.
    public static func data(_ data: Data, type: String = "application/octet-stream") -> Send {
      Send(.data(data, contentType: type))
    }
  }
}
