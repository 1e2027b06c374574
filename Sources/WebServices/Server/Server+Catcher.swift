extension Server {
  /// Makes of an error a value, or another error.
  ///
  /// ```swift
  /// catch: .value([], on: 404)
  /// catch: .init { error in
  ///   guard error.statusCode == 402 else { throw error }
  ///   throw ShopError.notPaid
  /// }
  /// ```
  ///
  /// It runs where the answer is delivered. It isn't asked about a request that was cancelled, by hand or with its
  /// configuration: nothing is to be made of that.
  public struct Catcher<R: Sendable>: Sendable {
    let recover: @Sendable (WebServiceError) throws -> R

    /// Creates a catcher that gives a value or throws the error that the caller sees.
    public init(_ recover: @escaping @Sendable (WebServiceError) throws -> R) {
      self.recover = recover
    }

    /// Gives this value where the answer had one of these statuses; throws all other errors as they are.
    public static func value(_ value: R, on statusCodes: Int...) -> Catcher {
      Catcher { error in
        guard case .statusCode(let code) = error.kind, statusCodes.contains(code) else { throw error }
        return value
      }
    }

    /// Throws what the closure makes of the error.
    public static func error(_ makeError: @escaping @Sendable (WebServiceError) -> any Error) -> Catcher {
      Catcher { error in throw makeError(error) }
    }
  }
}
