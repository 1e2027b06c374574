import HTTPTypes
import WebServices
import WebServicesTesting

// sample: httpTypes
extension Request {
  /// A request of swift-http-types. Its path is appended to the base URL.
  init(_ request: HTTPRequest, body: RequestBody? = nil) {
    self.init(
      request.path ?? "/", HTTPMethod(rawValue: request.method.rawValue), body: body,
      headers: HTTPHeaders(request.headerFields.map { .init(name: $0.name.rawName, value: $0.value) }))
  }
}

extension WebServiceResponse {
  /// The head as a response of swift-http-types.
  var head: HTTPResponse {
    let fields = headers.fields.compactMap { field in
      HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) }
    }
    return HTTPResponse(status: .init(code: statusCode), headerFields: HTTPFields(fields))
  }
}
// end of sample

let server = try LoopbackServer()
server.route(.get, "/jokes/:id") { request in
  .text(request.headers["Accept-Language"] ?? "none", headers: ["ETag": "\"7\""])
}
let service = JsonWebService(configuration: WebServiceConfiguration(baseURL: server.baseURL))

let request = HTTPRequest(
  method: .get, scheme: nil, authority: nil, path: "/jokes/7?short=true", headerFields: [.acceptLanguage: "cy"])
let response = try await service.sendRequest(Request(request), parser: .response)
print(response.head.status.code, response.head.headerFields[.eTag] ?? "no tag")
print(server.requests.first?.target ?? "nothing", server.requests.first?.headers["Accept-Language"] ?? "none")

// Prints: 200 "7"
// Prints: /jokes/7?short=true cy
