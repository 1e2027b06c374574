import Foundation
import HTTPTypes
import OpenAPIRuntime
import WebServices

// sample: openAPITransport
/// Sends the requests of a generated client through a service. The
/// validators of the service's configuration have to be `[]`, because the
/// generated code tells the statuses apart.
struct WebServiceTransport: ClientTransport {
  let service: any JsonWebServiceable
  /// Changes a request before it is sent: its authorization, its options.
  var prepare: @Sendable (inout Request, _ operation: String) -> Void

  func send(
    _ request: HTTPRequest, body: HTTPBody?, baseURL: URL,
    operationID: String
  ) async throws -> (HTTPResponse, HTTPBody?) {
    var outgoing = Request(request, baseURL: baseURL)
    outgoing.body = try await body?.requestBody(
      contentType: request.headerFields[.contentType])
    prepare(&outgoing, operationID)

    // The generated code needs all of a JSON text. A response in memory
    // can be cached, shared, and received by another attempt.
    if request.acceptsOnlyJSON {
      let response = try await service.sendRequest(
        outgoing, parser: .response)
      return (response.head, HTTPBody(response.body))
    }
    let stream = try await service.stream(outgoing, as: .data)
    guard stream.response.isSuccessful, stream.response.statusCode != 204
    else {
      // The request ends here, even if nobody reads the body of an error.
      let body = try await stream.reduce(into: Data()) { $0 += $1 }
      return (stream.response.head, HTTPBody(body))
    }
    let length = stream.response.headers.contentLength
    let content = HTTPBody(
      stream, length: length.map { .known($0) } ?? .unknown,
      iterationBehavior: .single)
    return (stream.response.head, content)
  }
}
// end of sample

// sample: openAPIConversions
extension Request {
  /// The base URL may be the path `/`, for the service's base URL.
  init(_ request: HTTPRequest, baseURL: URL) {
    var base = baseURL.absoluteString
    // The path begins with a slash.
    if base.hasSuffix("/") { base.removeLast() }
    let fields = request.headerFields.map {
      HTTPHeaders.Field(name: $0.name.rawName, value: $0.value)
    }
    self.init(
      base + (request.path ?? "/"),
      HTTPMethod(rawValue: request.method.rawValue),
      headers: HTTPHeaders(fields))
  }
}

extension HTTPRequest {
  var acceptsOnlyJSON: Bool {
    let types = (headerFields[.accept] ?? "").split(separator: ",")
    return types.allSatisfy {
      HTTPHeaders.MediaType(String($0))?.isJSON == true
    }
  }
}

extension HTTPBody {
  /// Short bytes in memory, or a stream. Only a body that can be iterated
  /// again is sent again, by a retry, a redirect or with another token.
  func requestBody(contentType: String?) async throws -> RequestBody {
    let type = contentType ?? "application/octet-stream"
    let isReplayable = iterationBehavior == .multiple
    var count: Int64?
    if case .known(let known) = length { count = known }
    if isReplayable, let count, count <= 1 << 20 {
      let data = try await Data(collecting: self, upTo: Int(count))
      return .data(data, contentType: type)
    }
    return .stream(
      map { Data($0) }, contentType: type, length: count,
      isReplayable: isReplayable)
  }
}

extension WebServiceResponse {
  var head: HTTPResponse {
    let fields = headers.fields.compactMap { field in
      HTTPField.Name(field.name).map {
        HTTPField(name: $0, value: field.value)
      }
    }
    return HTTPResponse(
      status: .init(code: statusCode), headerFields: HTTPFields(fields))
  }
}
// end of sample
