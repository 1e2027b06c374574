import Foundation
import ImmediateSession
import WebServices

extension Subject {
  /// The parts of a request. A caller's text is as random as a server's.
  static let requests: [Subject] = [
    Subject("QueryEncoder", weight: 8, samples: jsonSamples, words: jsonWords) { input in
      let value = (try? JSONDecoder().decode(JSONValue.self, from: input.data)) ?? .string(input.text)
      let query = QueryValue(value: value, number: Double(bitPattern: input.chance.next()), text: input.text)
      let encoder = queryEncoder(&input.chance)
      guard let items = try? encoder.encode(query) else { return }
      let escaping = input.chance.pick([QueryEncoder.Escaping.strict, .form]) ?? .strict
      let text = escaping.query(of: items)
      try Finding.check(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the query is \(text.debugDescription)")
    },
    Subject(opening: "RequestURL", weight: 5, samples: pathSamples, words: pathWords) { _ in
      let service = JsonWebService(
        session: ImmediateSession { .success(WebServiceResponse(statusCode: 200, url: $0.url)) },
        reachability: AlwaysReachable(),
        configuration: WebServiceConfiguration(baseURL: URL(string: "https://api.example.com/v1?key=1")))
      return { (input: inout FuzzInput) in
        let items = input.chance.once(in: 3) ? [URLQueryItem(name: input.text, value: input.text)] : []
        let request = FuzzRequest(path: input.text, queryItems: items)
        let isAbsolute = input.text.contains(":")
        switch await result(of: request, service) {
        case .success(let response):
          try Finding.check(
            isAbsolute || response.url.host == "api.example.com", "it goes to \(response.url.absoluteString)")
        case .failure(let error): _ = "\(error) \(error.friendlyDescription)"
        }
      }
    },
    Subject(opening: "MultipartBody", weight: 5, samples: partSamples, words: ["--edge", "\r\n", "\"", "--", "%22"]) {
      _ in
      let service = JsonWebService(session: ImmediateSession(checkingParts), reachability: AlwaysReachable())
      return { (input: inout FuzzInput) in
        let texts = (0..<3).map { _ in slice(of: input.text, &input.chance) }
        let parts: [MultipartBody.Part] = [
          .field(texts[0], texts[1]), .data(texts[1], input.data, fileName: texts[2], contentType: "text/plain"),
          .data("c", Data(texts[0].utf8), contentType: texts[2]),
        ]
        var request = FuzzRequest(path: "https://api.example.com/parts")
        request.method = .post
        request.body = .multipart(MultipartBody(parts))
        guard case .success(let response) = await result(of: request, service) else { return }
        let count = String(decoding: response.body, as: UTF8.self)
        try Finding.check(count == "\(parts.count)", "\(parts.count) parts go out as \(count)")
      }
    },
  ]

  static func result(
    of request: FuzzRequest, _ service: JsonWebService
  ) async -> Result<WebServiceResponse, WebServiceError> {
    do throws(WebServiceError) {
      return .success(try await service.sendRequest(request, parser: .response))
    } catch {
      return .failure(error)
    }
  }

  private static let pathSamples = [
    "jokes/random?count=3", "/users/7/posts", "https://api.example.com:8080/a%20b?c=d#e", "http://[::1]:80/",
    "a b/é?x=y z",
    "//other.example.com/x", "../../x", "?only=query", "",
  ]
  private static let pathWords = [
    "http://", "https://", "://", "//", "@", ":", "/../", "/./", "?", "#", "[::1]", "%2F", "%zz", "\\", "xn--",
    "user:pw@",
  ]
  private static let partSamples = [
    "photo", "na\"me\r\nX-Evil: 1", "--edge", "a value\r\n--edge--\r\n", "é.txt", "text/plain; charset=utf-8",
  ]

  private static func slice(of text: String, _ chance: inout SeededGenerator) -> String {
    let bytes = Array(text.utf8)
    let start = chance.below(bytes.count + 1)
    return String(decoding: bytes[start..<(start + chance.below(bytes.count - start + 1))], as: UTF8.self)
  }

  private static func queryEncoder(_ chance: inout SeededGenerator) -> QueryEncoder {
    QueryEncoder(
      arrays: chance.pick([.repeated, .brackets, .indexed, .commas]) ?? .repeated,
      nestedKeys: chance.once(in: 2) ? .brackets : .dots,
      dates: chance.pick([.iso8601, .secondsSince1970, .millisecondsSince1970]) ?? .iso8601,
      booleans: chance.once(in: 2) ? .literal : .numeric)
  }

  /// Responds with the number of parts that a reader finds with the boundary that was sent.
  private static func checkingParts(_ request: TransportRequest) -> Result<WebServiceResponse, TransportError> {
    let content = Content.bytes(of: request.body)
    let type = request.headers.contentType
    let edge = Data("--\(type?.parameters["boundary"] ?? "")".utf8)
    let heads = content.ranges(of: edge)
    let parts = heads.filter { content[$0.upperBound...].starts(with: Data("\r\n".utf8)) }
    let fields = parts.filter { part in
      let rest = content[part.upperBound...].dropFirst(2)
      return rest.starts(with: Data("Content-Disposition: form-data; name=\"".utf8))
    }
    let count = heads.count == parts.count + 1 ? fields.count : -1
    return .success(WebServiceResponse(statusCode: 200, url: request.url, body: Data("\(count)".utf8)))
  }
}

/// A value with every kind of member that a query can have.
private struct QueryValue: Encodable {
  var value: JSONValue
  var number: Double
  var date: Date { Date(timeIntervalSince1970: number) }
  var text: String

  enum CodingKeys: String, CodingKey {
    case value, number, date, text
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
    try container.encode(text, forKey: .text)
    // A number that isn't finite makes the encoding fail, so only half of the inputs contain one.
    guard text.utf8.count.isMultiple(of: 2) else { return }
    try container.encode(date, forKey: .date)
    try container.encode(number, forKey: .number)
  }
}

struct FuzzRequest: WebServiceRequestData {
  var path: String
  var method = HTTPMethod.get
  var headers = HTTPHeaders()
  var queryItems: [URLQueryItem] = []
  var body: RequestBody?
}

struct AlwaysReachable: ReachabilityCheckable {
  func isConnected() -> Bool { true }
}

/// The bytes of a request's body.
enum Content {
  static func bytes(of body: TransportBody) -> Data {
    switch body {
    case .none: return Data()
    case .data(let data): return data
    case .file(let url): return (try? Data(contentsOf: url)) ?? Data()
    case .stream(let stream):
      var all = Data()
      guard let reader = try? stream.makeReader() else { return all }
      while let piece = try? reader.read(upTo: 4096), !piece.isEmpty { all.append(piece) }
      reader.close()
      return all
    }
  }
}

extension Data {
  fileprivate func ranges(of other: Data) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = startIndex
    while let range = range(of: other, in: start..<endIndex) {
      found.append(range)
      start = range.upperBound
    }
    return found
  }
}
