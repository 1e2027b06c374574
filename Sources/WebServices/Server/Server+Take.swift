public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension Server {
  /// The parser of a response: the library's parsers under short names.
  public struct Take<R>: Sendable {
    /// The parser.
    public let parser: ResponseParser<R>

    /// Wraps a parser of your own or of the library.
    public init(_ parser: ResponseParser<R>) { self.parser = parser }

    /// The value that your closure makes of the response.
    ///
    /// - Parameter parse: makes the value, in the Swift task that waits, away from the caller's actor. An error that it
    ///   throws fails the request with an error of kind `.undecodableBody`, which has this error underneath.
    public static func custom(_ parse: @escaping @Sendable (WebServiceResponse) throws -> R) -> Take {
      Take(ResponseParser<R>(parse))
    }

    /// The value and the response that it was made of, which is an `HTTPURLResponse`.
    public static func response<Value>(with take: Take<Value>) -> Take where R == (URLResponse, Value) {
      Take(
        take.parser.withResponse.map { response, value in
          guard let foundation = response.foundation else { throw WebServiceError(.notHTTPResponse, phase: .read) }
          return (foundation, value)
        })
    }

    /// Accepts responses with these statuses, and returns this value for them.
    ///
    /// - Parameters:
    ///   - statusCodes: the statuses. No validator checks a response with one of them.
    ///   - value: the value for such a response.
    public func mapping(_ statusCodes: Int..., to value: R) -> Take where R: Sendable {
      Take(parser.mapping(Set(statusCodes), to: value))
    }

    /// Accepts responses with these statuses, and reads them with another parser.
    ///
    /// - Parameters:
    ///   - statusCodes: the statuses. No validator checks a response with one of them.
    ///   - take: the parser for such a response.
    public func mapping(_ statusCodes: Int..., with take: Take) -> Take {
      Take(parser.mapping(Set(statusCodes), with: take.parser))
    }

    /// The value, or `nil` for a response without a body.
    ///
    /// - Parameters:
    ///   - take: the parser for a response with a body.
    ///   - statusCodes: more statuses that mean `nil`; none by default. No validator checks a response with one of
    ///     them.
    public static func optional<Value>(_ take: Take<Value>, on statusCodes: Int...) -> Take where R == Value? {
      Take(take.parser.optional(on: Set(statusCodes)))
    }

    /// Nothing. The body is ignored.
    public static func void() -> Take where R == Void { Take(.nothing) }

    /// JSON of this type, read by the configuration's decoder.
    public static func json(_ type: R.Type = R.self) -> Take where R: Decodable & Sendable { Take(.json(type)) }

    // Without `@_disfavoredOverload`, a model that isn't `Sendable` would take this form.
    /// JSON of a model of the main actor, which is decoded there by the configuration's decoder: see
    /// <doc:DesigningServices>.
    @_disfavoredOverload
    @MainActor
    public static func json(_ type: R.Type = R.self) -> Take where R: Decodable { Take(.onMainActor()) }

    /// The bytes as they came.
    public static func data() -> Take where R == Data { Take(.data) }

    /// Text, in the charset that the response names, else UTF-8. Text that is malformed is an error of kind
    /// `.undecodableBody`.
    public static func text() -> Take where R == String { Take(.text) }
  }

  /// Maps an error to a value or to another error.
  ///
  /// ```swift
  /// catch: .value([], on: 404)
  /// catch: .init { error in
  ///   guard error.statusCode == 402 else { throw error }
  ///   throw ShopError.notPaid
  /// }
  /// ```
  ///
  /// A catcher runs in the Swift task that waits for the response. It isn't called for a request that was cancelled, by
  /// hand or with its configuration. A value that it returns after a swap becomes an error of the kind `.cancelled`. An
  /// error that it throws stays, and a task that it starts uses the configuration that the server has then.
  public struct Catcher<R: Sendable>: Sendable {
    let recover: @Sendable (WebServiceError) throws -> R

    /// Creates a catcher that gives a value or throws the error that the caller sees.
    ///
    /// - Parameter recover: returns a value, or throws an error. To pass an error on, throw the error that it got. It
    ///   runs in the Swift task that waits for the response.
    public init(_ recover: @escaping @Sendable (WebServiceError) throws -> R) { self.recover = recover }

    /// Returns this value for a response with one of these statuses, and throws all other errors unchanged.
    public static func value(_ value: R, on statusCodes: Int...) -> Catcher {
      Catcher { error in
        guard case .statusCode(let code) = error.kind, statusCodes.contains(code) else { throw error }
        return value
      }
    }

    /// Throws the error that the closure makes. The closure runs in the Swift task that waits for the response.
    public static func error(_ makeError: @escaping @Sendable (WebServiceError) -> any Error) -> Catcher {
      Catcher { error in throw makeError(error) }
    }
  }
}
