import Foundation
import ImmediateSession
import WebServices

extension Subject {
  /// Whole requests to a server with random responses.
  static let transfers: [Subject] = [
    Subject(opening: "Location", weight: 4, samples: locationSamples, words: locationWords) { _ in
      let session = ImmediateSession(redirecting)
      let service = JsonWebService(session: session, reachability: AlwaysReachable())
      return { (input: inout FuzzInput) in
        var request = FuzzRequest(path: "https://api.example.com/a/b?c=d")
        request.headers = ["Authorization": "Bearer secret", "X-Location": Data(input.bytes).base64EncodedString()]
        switch await result(of: request, service) {
        case .success(let response):
          let text = String(decoding: response.body, as: UTF8.self)
          try Finding.check(text.isEmpty, "it went to \(response.url.absoluteString) \(text)")
        case .failure(let error):
          _ = "\(error) \(error.friendlyDescription)"
        }
      }
    },
    // The name is a part of the seed, so another name would change the inputs of all recorded runs.
    Subject(opening: "answers", weight: 4, samples: responseSamples + jsonSamples, words: responseWords) { _ in
      let responder = RandomResponder()
      let cache = ResponseCache(memoryLimit: 1 << 16)
      var configuration = WebServiceConfiguration(layers: [.cache(cache), .coalescing], monitors: [RequestMetrics()])
      configuration.errorBodyLimit = 300
      let service = JsonWebService(
        session: ImmediateSession(responder.response), reachability: AlwaysReachable(), configuration: configuration)
      return { (input: inout FuzzInput) in
        responder.set(&input)
        let request = FuzzRequest(path: "https://api.example.com/\(input.chance.below(20))")
        do throws(WebServiceError) {
          _ = try await service.sendRequest(request, parser: .json(Shop.self))
        } catch {
          _ = "\(error) \(error.friendlyDescription)"
        }
      }
    },
  ]

  private static let locationSamples = [
    "https://other.example.com/x?y#z", "/c?d", "../e", "?f=g", "//evil.example.com/", "http://api.example.com/",
    "#part",
    "https://user:pw@api.example.com:443/a%20b", "c d\té", "mailto:a@b.c", "https://API.example.com/a",
  ]
  private static let locationWords = [
    "https://", "http:", "https:api", "//", "/../", "/./", "..", "@", ":443", ":99999", "[::1]", "\\", "%0d%0a", "?",
    "#", "é",
  ]
  private static let responseSamples = [
    "Cache-Control: max-age=60\nETag: \"a\"\nVary: Accept\n\n{}",
    "Retry-After: 5\nContent-Type: application/problem+json\n\n{}",
    "Location: /x\nAge: 5\nExpires: Sun, 06 Nov 1994 08:49:37 GMT\nLast-Modified: 0\n\n", "Warning\n: x\nDate: \n\n[",
  ]
  private static let responseWords = [
    "Cache-Control: ", "max-age=", "stale-while-revalidate=9", "Vary: *", "ETag: W/", "Age: ", "Date: ", "Expires: 0",
    "Location: ", "Content-Type: ", "\n\n", "\n", "Set-Cookie: ",
  ]

  /// Redirects the first request. The response to the second one reports a leaked secret, if there is any.
  private static func redirecting(_ request: TransportRequest) -> Result<WebServiceResponse, TransportError> {
    if request.url.absoluteString == "https://api.example.com/a/b?c=d", let location = request.headers["X-Location"] {
      let headers: HTTPHeaders = ["Location": String(decoding: Data(base64Encoded: location) ?? Data(), as: UTF8.self)]
      return .success(WebServiceResponse(statusCode: 302, headers: headers, url: request.url))
    }
    let isSameOrigin =
      request.url.scheme?.lowercased() == "https" && request.url.host?.lowercased() == "api.example.com"
      && (request.url.port ?? 443) == 443
    var problem = ""
    if !isSameOrigin, request.headers["Authorization"] != nil { problem += "with the credentials of another origin" }
    if request.url.scheme?.lowercased() != "https" { problem += "without TLS" }
    return .success(WebServiceResponse(statusCode: 200, url: request.url, body: Data(problem.utf8)))
  }
}

/// Makes the server's next response from an input: header fields, an empty line and a body.
private final class RandomResponder: @unchecked Sendable {
  // `lock` guards `text` and `statusCode`.
  private let lock = NSLock()
  private var text: [UInt8] = []
  private var statusCode = 200

  func set(_ input: inout FuzzInput) {
    let codes = [200, 200, 200, 204, 206, 301, 302, 304, 307, 400, 401, 404, 410, 429, 500, 503, 99, 0, -1, 1000]
    let statusCode = input.chance.pick(codes) ?? 200
    lock.lock()
    text = input.bytes
    self.statusCode = statusCode
    lock.unlock()
  }

  @Sendable func response(to request: TransportRequest) -> Result<WebServiceResponse, TransportError> {
    lock.lock()
    let (text, statusCode) = (self.text, self.statusCode)
    lock.unlock()
    let feeds = text.indices.filter { text[$0] == 0x0A }
    let end = feeds.first { text.dropFirst($0 + 1).first == 0x0A } ?? text.endIndex
    var headers = HTTPHeaders()
    for line in text[..<end].split(separator: 0x0A) {
      let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
      let value = String(decoding: line[colon...].dropFirst(), as: UTF8.self)
      headers.add(name: String(decoding: line[..<colon], as: UTF8.self), value: value)
    }
    let body = Data(text[end...].dropFirst(2))
    return .success(
      WebServiceResponse(statusCode: statusCode, headers: headers, url: request.url, body: body))
  }
}
