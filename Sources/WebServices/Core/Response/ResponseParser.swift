public import Foundation

/// Makes a value from an accepted response.
///
/// ```swift
/// let parser = ResponseParser.json(Joke.self).optional(on: 404)
/// service.sendRequest(RequestDataForJoke(id: 7), parser: parser) { result in … }
/// ```
///
/// A parser runs on the completion's queue, or on another queue if that is the main queue. For the awaited form it runs
/// in the calling task. A parser for a model of the main actor always runs on the main actor: see
/// <doc:DesigningServices>.
///
/// The article <doc:ReadingResponses> has samples.
public struct ResponseParser<Value>: Sendable {
  /// Makes a value of a response. The request is `nil` for a fake.
  package typealias Parse = @Sendable (WebServiceResponse, FeatherJSONDecoder, RequestRun?) throws -> Value

  /// Sends a request whose response isn't collected in memory, such as a stream or a download. The completion runs on
  /// the queue, and gets the last step of the request.
  package typealias Exchange =
    @Sendable (
      any WebServiceRequestData, Engine, DispatchQueue, _ completion: @escaping @Sendable (@escaping LastStep) -> Void
    ) -> WebServiceTask

  /// Ends the request, and returns the value with the head of the response. The caller calls it once where the value is
  /// waited for: on the queue, or on an actor.
  package typealias LastStep =
    @Sendable () -> Result<(run: RequestRun, head: WebServiceResponse, value: Value), WebServiceError>

  /// The value of the `Accept` field, unless the request or the configuration sets one.
  public let accept: String
  /// Makes a value of a request's response. Call it on the main actor if `isOfMainActor`.
  private(set) var make: Parse
  /// The statuses that validators don't check; `true` for those that have a parser or a value of their own.
  private(set) var acceptedStatusCodes: [Int: Bool] = [:]
  /// Whether the parser has to run on the main actor, because the model's conformance to `Decodable` is isolated to it.
  private(set) var isOfMainActor: Bool
  /// Sends the request in place of the service; `nil` for a value that is made of a response in memory. The parser
  /// carries it, so that a service around a ``JsonWebService`` forwards streams and downloads too. Mapped statuses have
  /// no effect on it.
  private(set) var exchange: Exchange?

  /// Creates a parser of your own.
  ///
  /// - Parameters:
  ///   - accept: the media types that it understands.
  ///   - parse: makes the value. It runs off the main thread: on the callback queue, or in the Swift task that waits.
  ///     An error that it throws fails the request with the kind `.undecodableBody` and is its underlying error.
  public init(accept: String = "*/*", _ parse: @escaping @Sendable (WebServiceResponse) throws -> Value) {
    self.init(accept: accept, parse: { response, _, _ in try parse(response) })
  }

  /// - Parameters:
  ///   - parse: makes the value of a response in memory, for a fake if there is an `exchange`.
  ///   - exchange: sends the request in place of the service.
  package init(accept: String, isOfMainActor: Bool = false, parse: @escaping Parse, exchange: Exchange? = nil) {
    self.accept = accept
    self.isOfMainActor = isOfMainActor
    make = parse
    self.exchange = exchange
  }

  /// Makes the value of a response. The engine calls it; a fake of ``JsonWebServiceable`` can call it too.
  ///
  /// - Parameters:
  ///   - response: the response to read. Its status isn't checked.
  ///   - decoder: the decoder for JSON models. A parser with a decoder of its own ignores it.
  /// - Throws: the error of the closure, or a `DecodingError` for JSON.
  ///
  /// Away from the main queue, a parser for a model of the main actor waits for the main queue.
  public func parse(_ response: WebServiceResponse, decoder: JSONDecoder = JSONDecoder()) throws -> Value {
    guard isOfMainActor else { return try make(response, FeatherJSONDecoder(decoder), nil) }
    return try MainQueue.wait { try make(response, FeatherJSONDecoder(decoder), nil) }
  }

  /// Accepts more statuses and makes another value of their responses.
  ///
  /// - Parameters:
  ///   - statusCodes: the statuses.
  ///   - parser: the parser that reads such a response.
  public func mapping(_ statusCodes: Set<Int>, with parser: ResponseParser) -> ResponseParser {
    var copy = mapping(statusCodes, with: parser.make)
    copy.isOfMainActor = isOfMainActor || parser.isOfMainActor
    return copy
  }

  /// Accepts these statuses, and returns the value for them without reading the body.
  ///
  /// - Parameters:
  ///   - statusCodes: the statuses. No validator checks a response with one of them.
  ///   - value: the value for such a response.
  public func mapping(_ statusCodes: Set<Int>, to value: Value) -> ResponseParser where Value: Sendable {
    mapping(statusCodes) { _, _, _ in value }
  }

  /// Accepts more statuses and reads their responses in the same way: `.response.accepting(302)`.
  ///
  /// - Parameter statusCodes: the statuses. No validator checks a response with one of them.
  public func accepting(_ statusCodes: Int...) -> ResponseParser {
    var copy = self
    copy.acceptedStatusCodes.merge(statusCodes.map { ($0, false) }) { former, _ in former }
    return copy
  }

  private func mapping(_ statusCodes: Set<Int>, with parse: @escaping Parse) -> ResponseParser {
    var copy = self
    for status in statusCodes { copy.acceptedStatusCodes[status] = true }
    copy.make = { [others = make] response, decoder, run in
      try (statusCodes.contains(response.statusCode) ? parse : others)(response, decoder, run)
    }
    return copy
  }

  /// Converts the parser's value to another value.
  ///
  /// - Parameter transform: makes the other value, where the parser runs. If it throws, the request fails with an error
  ///   of kind `.undecodableBody` that has this error underneath.
  public func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> ResponseParser<Other> {
    converted { _, value, _ in try transform(value) }
  }

  /// The value together with the response that it was made of.
  public var withResponse: ResponseParser<(response: WebServiceResponse, value: Value)> {
    converted { response, value, _ in (response, value) }
  }

  /// The value with its response and with its request, which is `nil` for a fake.
  package var withRequest: ResponseParser<(response: WebServiceResponse, value: Value, request: RequestRun?)> {
    converted { ($0, $1, $2) }
  }

  /// `nil` for a response without a body, or with one of these statuses.
  ///
  /// - Parameter statusCodes: the statuses that mean `nil`; none by default. No validator checks a response with one of
  ///   them.
  public func optional(on statusCodes: Int...) -> ResponseParser<Value?> { optional(on: Set(statusCodes)) }

  package func optional(on statusCodes: Set<Int>) -> ResponseParser<Value?> {
    var parser = converted { _, value, _ in Value?.some(value) }
    parser.make = { [make, acceptedStatusCodes] response, decoder, run in
      // A mapped status has its own parser, also for a response without a body.
      let isNothing = response.body.isEmpty && acceptedStatusCodes[response.statusCode] != true
      return isNothing ? nil : try make(response, decoder, run)
    }
    return statusCodes.isEmpty ? parser : parser.mapping(statusCodes) { _, _, _ in nil }
  }

  /// A parser of another value, which accepts the same statuses and runs on the same actor.
  ///
  /// - Parameter convert: makes the other value of a response, the parser's value and the request.
  private func converted<Other>(
    _ convert: @escaping @Sendable (WebServiceResponse, Value, RequestRun?) throws -> Other
  ) -> ResponseParser<Other> {
    var parser = ResponseParser<Other>(
      accept: accept, isOfMainActor: isOfMainActor, parse: { [make] in try convert($0, make($0, $1, $2), $2) })
    parser.acceptedStatusCodes = acceptedStatusCodes
    guard let exchange else { return parser }
    parser.exchange = { data, engine, queue, completion in
      exchange(data, engine, queue) { lastStep in
        completion {
          lastStep().flatMap { run, head, value in
            Result { (run, head, try convert(head, value, run)) }.mapError { error in
              run.withFacts(WebServiceError(.undecodableBody, phase: .read, response: head, underlying: error))
            }
          }
        }
      }
    }
    return parser
  }

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

extension ResponseParser where Value: Decodable & Sendable {
  /// JSON of any decodable type. A response without a body is `nil` for an optional type, and an error for any other.
  ///
  /// - Parameters:
  ///   - type: the type of the model.
  ///   - decoder: `nil` means the decoder of the request or the configuration.
  public static func json(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> ResponseParser {
    let own = decoder.map(FeatherJSONDecoder.init)
    return ResponseParser(
      accept: "application/json", parse: { response, json, _ in try model(of: response, with: own ?? json) })
  }

  /// The parser of `json().optional()` with fewer objects, for the form that most requests use.
  @usableFromInline package static var optionalJSON: ResponseParser<Value?> {
    ResponseParser<Value?>(
      accept: "application/json",
      parse: { response, json, _ in response.body.isEmpty ? nil : try json.decode(Value.self, from: response.body) })
  }
}

extension ResponseParser where Value: Decodable {
  static func model(of response: WebServiceResponse, with decoder: FeatherJSONDecoder) throws -> Value {
    response.body.isEmpty ? try absentModel() : try decoder.decode(Value.self, from: response.body)
  }

  /// The model of a response without a body. Not inlined, because the cast forms generic types.
  @inline(never)
  private static func absentModel() throws -> Value {
    // Nothing says at compile time that `Value` is optional, so a cast finds out: `nil` becomes any optional type.
    if let absent = Optional<Any>.none as Any as? Value { return absent }
    throw DecodingError.valueNotFound(
      Value.self, DecodingError.Context(codingPath: [], debugDescription: "The response has no body."))
  }

  // Without `@_disfavoredOverload`, a model that isn't `Sendable` would take this form.
  /// JSON of a model of the main actor, which is decoded there. The compiler picks this form if the model's conformance
  /// to `Decodable` is isolated to the main actor, and the other form for any other model.
  ///
  /// - Parameters:
  ///   - type: the type of the model.
  ///   - decoder: `nil` means the decoder of the request or the configuration.
  @_disfavoredOverload
  @MainActor
  public static func json(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> ResponseParser {
    onMainActor(decoder)
  }

  /// The parser of a model that is decoded on the main actor.
  @MainActor
  package static func onMainActor(_ decoder: JSONDecoder? = nil) -> ResponseParser {
    let own = decoder.map(FeatherJSONDecoder.init)
    return ResponseParser(accept: "application/json", onMainActor: { try model(of: $0, with: own ?? $1) })
  }
}

extension ResponseParser where Value == Data {
  /// The bytes as they came, after decompression.
  public static var data: ResponseParser { ResponseParser { response in response.body } }
}

extension ResponseParser where Value == Void {
  /// Nothing. The body is ignored.
  public static var nothing: ResponseParser { ResponseParser { _ in } }
}

extension ResponseParser where Value == WebServiceResponse {
  /// Status, headers and bytes as they came.
  public static var response: ResponseParser { ResponseParser { response in response } }
}

extension ResponseParser where Value == String {
  /// Text in the charset that the response names, else in UTF-8. A byte order mark counts for more. Bytes that aren't
  /// text of the charset fail as `.undecodableBody` with a ``TextDecodingError`` underneath.
  public static var text: ResponseParser {
    ResponseParser(accept: "text/plain, text/*;q=0.9, */*;q=0.5") { response in
      try String(text: response.body, charset: response.headers.contentType?.charset)
    }
  }
}

/// A value that only the main actor can use.
@MainActor
struct MainActorValue<Value> { let value: Value }
