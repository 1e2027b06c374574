public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension Server {
  /// What is made of an answer: the library's parsers under short names.
  public struct Take<R: Sendable>: Sendable {
    /// The parser.
    public let parser: ResponseParser<R>

    /// Takes what any parser makes.
    public init(_ parser: ResponseParser<R>) {
      self.parser = parser
    }

    /// What the app's own closure makes of the answer.
    public static func custom(_ parse: @escaping @Sendable (WebServiceResponse) throws -> R) -> Take {
      Take(ResponseParser<R>(parse))
    }

    /// The value and the response that it was made of, which is an `HTTPURLResponse`.
    public static func response<Value: Sendable>(with take: Take<Value>) -> Take where R == (URLResponse, Value) {
      Take(
        take.parser.withResponse.map { response, value in
          guard let foundation = response.foundation else { throw WebServiceError(.notHTTPResponse, phase: .read) }
          return (foundation, value)
        })
    }

    /// The statuses that are mapped are no failure: an answer with one of these becomes this value.
    public func mapping(_ statusCodes: Int..., to value: R) -> Take {
      Take(parser.mapping(Set(statusCodes), to: value))
    }

    /// The statuses that are mapped are no failure: an answer with one of these is read in another way.
    public func mapping(_ statusCodes: Int..., with take: Take) -> Take {
      Take(parser.mapping(Set(statusCodes), with: take.parser))
    }

    /// The value, or `nil` for an answer without a body, or with one of these statuses.
    public static func optional<Value: Sendable>(
      _ take: Take<Value>, on statusCodes: Int...
    ) -> Take where R == Value? {
      Take(take.parser.optional().mapping(Set(statusCodes), to: nil))
    }
  }
}

extension Server.Take where R == Void {
  /// Nothing: whatever the body is, it isn't looked at.
  public static func void() -> Server.Take<R> { Server.Take(.nothing) }
}

extension Server.Take where R: Decodable {
  /// JSON of this type, read by the configuration's decoder.
  public static func json(_ type: R.Type = R.self) -> Server.Take<R> { Server.Take(.json(type)) }
}

extension Server.Take where R == Data {
  /// The bytes as they came.
  public static func data() -> Server.Take<R> { Server.Take(.data) }
}
