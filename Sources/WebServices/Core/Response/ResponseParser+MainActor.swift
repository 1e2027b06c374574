public import Foundation

// In a module whose default isolation is the main actor, the conformance of a model to `Decodable` is isolated to the
// main actor. Such a model meets no requirement `Decodable & Sendable`, so the compiler picks the declarations below.

extension ResponseParser where Value: Decodable {
  /// JSON of a model of the main actor, which is decoded there. The compiler picks this form if the model's conformance
  /// to `Decodable` is isolated to the main actor, and the other form for any other model.
  ///
  /// - Parameters:
  ///   - type: the type of the model.
  ///   - decoder: `nil` means the decoder of the request or the configuration.
  @MainActor
  public static func json(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> ResponseParser {
    let own = decoder.map(FeatherJSONDecoder.init)
    return ResponseParser(accept: "application/json", onMainActor: { try model(of: $0, with: own ?? $1) })
  }
}

extension ResponseParser {
  /// Creates a parser that runs on the main actor.
  init(accept: String, onMainActor parse: @escaping @MainActor (WebServiceResponse, FeatherJSONDecoder) throws -> Value)
  {
    self.init(accept: accept, isOfMainActor: true) { response, decoder, _ in
      // Unsafe for the compiler alone: the closure runs at once, on this thread.
      nonisolated(unsafe) var value: Value?
      try MainActor.assumeIsolated { value = try parse(response, decoder) }
      guard let value else { throw WebServiceError(.unexpected, phase: .read) }
      return value
    }
  }

  /// The value without leaving the main actor, so that it doesn't have to be `Sendable`.
  @MainActor
  var keptOnMainActor: ResponseParser<MainActorValue<Value>> {
    ResponseParser<MainActorValue<Value>>(accept: accept, onMainActor: { MainActorValue(value: try make($0, $1, nil)) })
  }
}

/// A value that only the main actor can use.
@MainActor
struct MainActorValue<Value> {
  let value: Value
}
