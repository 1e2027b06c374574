import Foundation
import WebServices

extension ResponseParser {
  /// What the parser makes of a canned answer: for stubs that stand below a service.
  func result(ofJSON json: String) -> Result<Value, WebServiceError> {
    let response = WebServiceResponse(statusCode: 200, url: URL(fileURLWithPath: "/"), body: Data(json.utf8))
    return Result { try parse(response) }.mapError { WebServiceError(.undecodableBody, underlying: $0) }
  }
}

/// An instance of an app's service over a session of the test's.
enum TestService {
  static func make(over session: any URLSessionProtocol) -> JsonWebService {
    JsonWebService(
      session: session, tokenManager: BasicAuthManager(),
      configuration: WebServiceConfiguration(baseURL: URL(string: "http://localhost")))
  }
}
