import Foundation
import WebServices

extension ResponseParser {
  /// Parses scripted JSON, for stubs that replace a service.
  func result(ofJSON json: String) -> Result<Value, WebServiceError> {
    let response = WebServiceResponse(statusCode: 200, url: URL(fileURLWithPath: "/"), body: Data(json.utf8))
    return Result { try parse(response) }.mapError { WebServiceError(.undecodableBody, underlying: $0) }
  }
}

/// Makes a service with a session that the test controls.
enum TestService {
  static func make(over session: any URLSessionProtocol) -> JsonWebService {
    JsonWebService(
      session: session, tokenManager: BasicAuthManager(),
      configuration: WebServiceConfiguration(baseURL: URL(string: "http://localhost")))
  }
}
