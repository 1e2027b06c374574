// Written by hand in the form that swift-openapi-generator makes, without the parts that the program doesn't use.
import Foundation
import HTTPTypes
@_spi(Generated) import OpenAPIRuntime

/// Sends the operations of the API over a transport.
struct Client: APIProtocol {
  private let client: UniversalClient
  private var converter: Converter { client.converter }

  init(serverURL: URL, transport: any ClientTransport, middlewares: [any ClientMiddleware] = []) {
    client = UniversalClient(serverURL: serverURL, transport: transport, middlewares: middlewares)
  }

  func getJoke(_ input: Operations.GetJoke.Input) async throws -> Operations.GetJoke.Output {
    try await client.send(
      input: input, forOperation: Operations.GetJoke.id,
      serializer: { input in
        let path = try converter.renderedPath(template: "/jokes/{}", parameters: [input.path.id])
        var request = HTTPRequest(soar_path: path, method: .get)
        converter.setAcceptHeader(in: &request.headerFields, contentTypes: input.headers.accept)
        return (request, nil)
      },
      deserializer: { response, responseBody in
        switch response.status.code {
        case 200:
          let body: Operations.GetJoke.Output.Ok.Body = try await json(
            Components.Schemas.Joke.self, of: response, responseBody
          ) { .json($0) }
          return .ok(.init(body: body))
        case 404:
          let body: Operations.GetJoke.Output.NotFound.Body = try await json(
            Components.Schemas.Problem.self, of: response, responseBody
          ) { .json($0) }
          return .notFound(.init(body: body))
        default:
          return .undocumented(
            statusCode: response.status.code, .init(headerFields: response.headerFields, body: responseBody))
        }
      })
  }

  func addJoke(_ input: Operations.AddJoke.Input) async throws -> Operations.AddJoke.Output {
    try await client.send(
      input: input, forOperation: Operations.AddJoke.id,
      serializer: { input in
        var request = HTTPRequest(soar_path: "/jokes", method: .post)
        converter.setAcceptHeader(in: &request.headerFields, contentTypes: input.headers.accept)
        let body: HTTPBody? =
          switch input.body {
          case .json(let value):
            try converter.setRequiredRequestBodyAsJSON(
              value, headerFields: &request.headerFields, contentType: "application/json; charset=utf-8")
          }
        return (request, body)
      },
      deserializer: { response, responseBody in
        switch response.status.code {
        case 201:
          let body: Operations.AddJoke.Output.Created.Body = try await json(
            Components.Schemas.Joke.self, of: response, responseBody
          ) { .json($0) }
          return .created(.init(body: body))
        default:
          return .undocumented(
            statusCode: response.status.code, .init(headerFields: response.headerFields, body: responseBody))
        }
      })
  }

  func uploadRecording(
    _ input: Operations.UploadRecording.Input
  ) async throws -> Operations.UploadRecording.Output {
    try await client.send(
      input: input, forOperation: Operations.UploadRecording.id,
      serializer: { input in
        let path = try converter.renderedPath(template: "/jokes/{}/recording", parameters: [input.path.id])
        var request = HTTPRequest(soar_path: path, method: .put)
        let body: HTTPBody? =
          switch input.body {
          case .binary(let value):
            try converter.setRequiredRequestBodyAsBinary(
              value, headerFields: &request.headerFields, contentType: "application/octet-stream")
          }
        return (request, body)
      },
      deserializer: { response, responseBody in
        switch response.status.code {
        case 204:
          return .noContent(.init())
        default:
          return .undocumented(
            statusCode: response.status.code, .init(headerFields: response.headerFields, body: responseBody))
        }
      })
  }

  func playRecording(_ input: Operations.PlayRecording.Input) async throws -> Operations.PlayRecording.Output {
    try await client.send(
      input: input, forOperation: Operations.PlayRecording.id,
      serializer: { input in
        let path = try converter.renderedPath(template: "/jokes/{}/recording", parameters: [input.path.id])
        var request = HTTPRequest(soar_path: path, method: .get)
        converter.setAcceptHeader(in: &request.headerFields, contentTypes: input.headers.accept)
        return (request, nil)
      },
      deserializer: { response, responseBody in
        switch response.status.code {
        case 200:
          _ = try converter.bestContentType(
            received: converter.extractContentTypeIfPresent(in: response.headerFields),
            options: ["application/octet-stream"])
          let body = try converter.getResponseBodyAsBinary(
            HTTPBody.self, from: responseBody, transforming: { Operations.PlayRecording.Output.Ok.Body.binary($0) })
          return .ok(.init(body: body))
        default:
          return .undocumented(
            statusCode: response.status.code, .init(headerFields: response.headerFields, body: responseBody))
        }
      })
  }

  /// Checks the type of a response's body, and decodes the body.
  private func json<Model: Decodable, Body>(
    _ type: Model.Type, of response: HTTPResponse, _ body: HTTPBody?, transforming: (Model) -> Body
  ) async throws -> Body {
    _ = try converter.bestContentType(
      received: converter.extractContentTypeIfPresent(in: response.headerFields), options: ["application/json"])
    return try await converter.getResponseBodyAsJSON(type, from: body, transforming: transforming)
  }
}
