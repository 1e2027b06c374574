import Foundation
import WebServicesCore

/// The JSON representation of a cassette, which people can read and edit.
struct CassetteFile: Codable {
  static let currentVersion = 1

  /// The version. It is decoded first, because a file of another version may have other members.
  struct Version: Codable {
    var version: Int
  }

  struct Exchange: Codable {
    var request: Request
    var response: Response?
    var failure: Failure?
  }

  struct Request: Codable {
    var method: String
    var url: String
    var headers: [String]?
    var body: Body?
  }

  struct Response: Codable {
    var status: Int
    /// The URL, if it differs from the request's.
    var url: String?
    var headers: [String]?
    var body: Body?
  }

  struct Failure: Codable {
    var kind: String
    var message: String
    var mayHaveReachedServer: Bool
    var response: Response?
  }

  struct Body: Codable {
    var text: String?
    var base64: String?
    var omitted: String?
  }

  var version: Int
  var exchanges: [Exchange]
}

extension CassetteFile {
  init(_ cassette: Cassette) {
    version = Self.currentVersion
    exchanges = cassette.exchanges.map { exchange in
      let request = Request(
        method: exchange.request.method.rawValue, url: exchange.request.url,
        headers: exchange.request.headers.lines, body: Body(exchange.request.body))
      switch exchange.outcome {
      case .response(let response):
        return Exchange(request: request, response: Response(response, of: exchange.request))
      case .failure(let kind, let message, let mayHaveReachedServer, let response):
        let failure = Failure(
          kind: kind.name, message: message, mayHaveReachedServer: mayHaveReachedServer,
          response: response.map { Response($0, of: exchange.request) })
        return Exchange(request: request, failure: failure)
      }
    }
  }

  func cassette() throws(CassetteError) -> Cassette {
    var cassette = Cassette()
    for (index, exchange) in exchanges.enumerated() {
      let place = "exchanges[\(index)]"
      let request = Cassette.Request(
        method: HTTPMethod(rawValue: exchange.request.method), url: exchange.request.url,
        headers: try HTTPHeaders(lines: exchange.request.headers, at: "\(place).request.headers"),
        body: try exchange.request.body.content(at: "\(place).request.body"))
      cassette.exchanges.append(
        Cassette.Exchange(request: request, outcome: try exchange.outcome(of: request, at: place)))
    }
    return cassette
  }
}

extension CassetteFile.Exchange {
  fileprivate func outcome(of request: Cassette.Request, at place: String) throws(CassetteError) -> Cassette.Outcome {
    switch (response, failure) {
    case (let response?, nil):
      return .response(try response.decoded(for: request, at: "\(place).response"))
    case (nil, let failure?):
      guard let kind = TransportError.Kind(name: failure.kind) else {
        throw .damaged("at \(place).failure.kind: \"\(failure.kind)\" is no kind of failure")
      }
      var partial: Cassette.Response?
      if let response = failure.response {
        partial = try response.decoded(for: request, at: "\(place).failure.response")
      }
      return .failure(
        kind, message: failure.message, mayHaveReachedServer: failure.mayHaveReachedServer, response: partial)
    default:
      throw .damaged("at \(place): either a response or a failure is required")
    }
  }
}

extension CassetteFile.Response {
  init(_ response: Cassette.Response, of request: Cassette.Request) {
    self.init(
      status: response.status, url: response.url == request.url ? nil : response.url,
      headers: response.headers.lines, body: CassetteFile.Body(response.body))
  }

  fileprivate func decoded(for request: Cassette.Request, at place: String) throws(CassetteError) -> Cassette.Response {
    guard (100...999).contains(status) else { throw .damaged("at \(place).status: \(status) is none") }
    return Cassette.Response(
      status: status, url: url ?? request.url, headers: try HTTPHeaders(lines: headers, at: "\(place).headers"),
      body: try body.content(at: "\(place).body"))
  }
}

extension CassetteFile.Body {
  init?(_ body: Cassette.Body) {
    switch body {
    case .none: return nil
    case .text(let text): self.init(text: text)
    case .bytes(let data): self.init(base64: data.base64EncodedString())
    case .omitted(let reason): self.init(omitted: reason)
    }
  }
}

extension CassetteFile.Body? {
  fileprivate func content(at place: String) throws(CassetteError) -> Cassette.Body {
    guard let self else { return .none }
    // Exactly one member may be there, since people edit these files.
    switch (self.text, self.base64, self.omitted) {
    case (let text?, nil, nil): return .text(text)
    case (nil, let base64?, nil):
      guard let data = Data(base64Encoded: base64) else { throw .damaged("at \(place).base64: the text is no Base64") }
      return .bytes(data)
    case (nil, nil, let reason?): return .omitted(reason)
    default: throw .damaged("at \(place): one of text, base64 and omitted is required")
    }
  }
}

extension HTTPHeaders {
  fileprivate var lines: [String]? { isEmpty ? nil : map { "\($0.name): \($0.value)" } }

  fileprivate init(lines: [String]?, at place: String) throws(CassetteError) {
    self.init()
    for (index, line) in (lines ?? []).enumerated() {
      guard let colon = line.firstIndex(of: ":"), line[..<colon].utf8.isHTTPToken, line.utf8.isHTTPFieldValue else {
        throw .damaged("at \(place)[\(index)]: the text is no header field")
      }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      add(name: String(line[..<colon]), value: value)
    }
  }
}

extension TransportError.Kind {
  /// The words in files. They stay the same when a case is renamed.
  private static let names: [(TransportError.Kind, String)] = [
    (.cancelled, "cancelled"), (.invalidated, "invalidated"), (.timedOut(.connect), "timedOut.connect"),
    (.timedOut(.idle), "timedOut.idle"), (.timedOut(.whole), "timedOut.whole"), (.notConnected, "notConnected"),
    (.nameLookup, "nameLookup"), (.cannotConnect, "cannotConnect"), (.tls, "tls"),
    (.connectionLost, "connectionLost"), (.truncated, "truncated"), (.badFraming, "badFraming"),
    (.badEncoding, "badEncoding"), (.tooLarge, "tooLarge"), (.notHTTPResponse, "notHTTPResponse"),
    (.invalidRequest, "invalidRequest"), (.file, "file"), (.other, "other"),
  ]

  var name: String { Self.names.first { $0.0 == self }?.1 ?? "other" }

  init?(name: String) {
    guard let kind = Self.names.first(where: { $0.1 == name })?.0 else { return nil }
    self = kind
  }
}
