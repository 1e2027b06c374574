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
  /// What a parser does, for a status of its own or for all others.
  typealias Parse = @Sendable (WebServiceResponse, JSONDecoder) throws -> Value

  /// The value of the `Accept` field, unless the request or the configuration sets one.
  public let accept: String
  private let parse: Parse
  /// The statuses that something else is made of, so that no validator is asked, and what; the last one added comes first.
  /// Two lists, since every answer is looked up in the first, and a look into one of pairs takes their type to be found.
  private(set) var mappedStatusCodes: [Set<Int>] = []
  private var mappedParses: [Parse] = []

  /// Creates a parser of one's own.
  ///
  /// - Parameters:
  ///   - accept: the media types that it understands.
  ///   - parse: makes the value. Whatever it throws ends as an error of kind `.undecodableBody` with that underneath.
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
    guard let index = mappedStatusCodes.firstIndex(where: { $0.contains(response.statusCode) }) else {
      return try parse(response, decoder)
    }
    return try mappedParses[index](response, decoder)
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
    copy.mappedStatusCodes.insert(statusCodes, at: 0)
    copy.mappedParses.insert(parse, at: 0)
    return copy
  }

  /// All mappings, the first one added first.
  private var mappings: [(statusCodes: Set<Int>, parse: Parse)] {
    zip(mappedStatusCodes, mappedParses).reversed().map { ($0, $1) }
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
    let mapped = mappings.reduce(present) { parser, mapping in
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
    return mappings.reduce(first) { parser, mapping in
      let other = ResponseParser<Other> { response, decoder in
        try transform(try mapping.parse(response, decoder), response)
      }
      return parser.mapping(mapping.statusCodes, with: other)
    }
  }
}
