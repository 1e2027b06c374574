import Foundation
import WebServices

/// Requests the results of a user's draws.
struct RequestDataForResults: WebServiceRequestData {
  let userId: String

  var path: String { "menu/results" }
  var queryItems: [URLQueryItem] { [URLQueryItem(name: "user", value: userId)] }
  var options: RequestOptions {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return RequestOptions {
      $0.decoder = decoder
      $0.validators = ResponseValidator.menu
    }
  }
}
