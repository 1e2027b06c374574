public import Foundation

/// Makes a value of an answer that was found good.
///
/// ```swift
/// let parser = ResponseParser.json(Joke.self).optional(on: 404)
/// service.sendRequest(RequestDataForJoke(id: 7), parser: parser) { result in … }
/// ```
///
/// A parser runs where the completion runs, or beside the main queue where that is the main queue; for the awaited form
/// in the task that waits.
public struct ResponseParser<Value: Sendable>: Sendable {
  /// Makes a value of a response.
  typealias Parse = @Sendable (WebServiceResponse, JSONDecoder) throws -> Value

  /// The value of the `Accept` field, unless the request or the configuration sets one.
  public let accept: String
  private let parse: Parse
  /// The statuses that something else is made of, and what; the last one added comes first.
  private var mappings: [Mapping] = []

  private struct Mapping: Sendable {
    let statusCodes: Set<Int>
    let parse: Parse
  }

  /// The statuses that no validator is asked about.
  var mappedStatusCodes: [Set<Int>] { mappings.isEmpty ? [] : mappings.map(\.statusCodes) }

  /// Creates a parser of one's own.
  ///
  /// - Parameters:
  ///   - accept: the media types that it understands.
  ///   - parse: makes the value. An error that it throws ends as one of kind `.undecodableBody` with that underneath.
  public init(accept: String = "*/*", _ parse: @escaping @Sendable (WebServiceResponse) throws -> Value) {
    self.init(accept: accept) { response, _ in try parse(response) }
  }

  /// Creates a parser that is given the decoder of the request or the configuration too.
  public init(
    accept: String = "*/*", _ parse: @escaping @Sendable (WebServiceResponse, JSONDecoder) throws -> Value
  ) {
    self.accept = accept
    self.parse = parse
  }

  /// Makes the value of an answer. The engine calls it; so can a fake of `JsonWebServiceable`.
  public func parse(_ response: WebServiceResponse, decoder: JSONDecoder = JSONDecoder()) throws -> Value {
    let mapping = mappings.isEmpty ? nil : mappings.first { $0.statusCodes.contains(response.statusCode) }
    return try (mapping?.parse ?? parse)(response, decoder)
  }

  /// The statuses that the parser takes are no failure: it makes another value of them.
  ///
  /// - Parameters:
  ///   - statusCodes: which.
  ///   - parser: what reads such an answer.
  public func mapping(_ statusCodes: Set<Int>, with parser: ResponseParser) -> ResponseParser {
    mapping(statusCodes, with: parser.parse(_:decoder:))
  }

  /// Makes this value of an answer with one of these statuses, whatever its body.
  public func mapping(_ statusCodes: Set<Int>, to value: Value) -> ResponseParser {
    mapping(statusCodes) { _, _ in value }
  }

  private func mapping(_ statusCodes: Set<Int>, with parse: @escaping Parse) -> ResponseParser {
    var copy = self
    copy.mappings.insert(Mapping(statusCodes: statusCodes, parse: parse), at: 0)
    return copy
  }

  /// Makes another value of what this parser made.
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) throws -> Other) -> ResponseParser<Other> {
    converted { value, _ in try transform(value) }
  }

  /// The value together with the response that it was made of.
  public var withResponse: ResponseParser<(response: WebServiceResponse, value: Value)> {
    converted { value, response in (response, value) }
  }

  /// `nil` for an answer without a body, or with one of these statuses.
  public func optional(on statusCodes: Int...) -> ResponseParser<Value?> {
    let present: ResponseParser<Value?> = ResponseParser<Value?>(accept: accept) { response, decoder in
      response.body.isEmpty ? nil : try parse(response, decoder: decoder)
    }
    let mapped = mappings.reversed().reduce(present) { parser, mapping in
      parser.mapping(mapping.statusCodes, with: ResponseParser<Value?>(mapping.parse))
    }
    return statusCodes.isEmpty ? mapped : mapped.mapping(Set(statusCodes), to: nil)
  }

  private func converted<Other: Sendable>(
    _ transform: @escaping @Sendable (Value, WebServiceResponse) throws -> Other
  ) -> ResponseParser<Other> {
    let first = ResponseParser<Other>(accept: accept) { response, decoder in
      try transform(try parse(response, decoder), response)
    }
    return mappings.reversed().reduce(first) { parser, mapping in
      let other = ResponseParser<Other> { response, decoder in
        try transform(try mapping.parse(response, decoder), response)
      }
      return parser.mapping(mapping.statusCodes, with: other)
    }
  }
}

extension ResponseParser where Value: Decodable {
  /// JSON of any decodable type. An answer without a body is none; `.json(Model.self).optional()` takes it for `nil`.
  ///
  /// - Parameters:
  ///   - type: the type of the model.
  ///   - decoder: `nil` means the one of the request or the configuration.
  public static func json(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> ResponseParser {
    ResponseParser(accept: "application/json") { response, common in
      try FeatherJSONDecoder(decoder ?? common).decode(type, from: response.body)
    }
  }
}

extension ResponseParser where Value == Data {
  /// The bytes as they came, after decompression.
  public static var data: ResponseParser {
    ResponseParser { response in response.body }
  }
}

extension ResponseParser where Value == Void {
  /// Nothing: whatever the body is, it isn't looked at.
  public static var nothing: ResponseParser {
    ResponseParser { _ in }
  }
}

extension ResponseParser where Value == WebServiceResponse {
  /// Status, headers and bytes as they came.
  public static var response: ResponseParser {
    ResponseParser { response in response }
  }
}
