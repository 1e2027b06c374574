public import Foundation

extension Endpoint {
  /// Creates an endpoint whose answer is JSON and is parsed by hand.
  ///
  /// ```swift
  /// Endpoint(url: url, parse: { json in Result { try Photo(with: json) } })
  /// ```
  ///
  /// - Parameters:
  ///   - url: an `http` or `https` URL; a relative one is resolved with its base.
  ///   - parse: makes the value, where the completion runs, or beside the main queue where that is the main queue. Its
  ///     failure ends as an error of kind `.undecodableBody` with that underneath. It isn't asked about what is no JSON.
  public init(url: URL, parse: @escaping @Sendable (JSONValue) -> Result<Value, any Error>) {
    self.init(url: url, parser: ResponseParser<JSONValue>.json().map { json in try parse(json).get() })
  }
}
