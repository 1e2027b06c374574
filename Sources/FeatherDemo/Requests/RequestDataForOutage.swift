import Foundation
import WebServices

/// Starts or ends an outage of the demo's server.
struct RequestDataForOutage: WebServiceRequestData {
  enum Command: Sendable {
    /// Lets this many requests fail; `nil` lets all requests fail until `end`.
    case begin(requests: Int?)
    case end
  }

  let command: Command

  var path: String { "outage" }
  var method: HTTPMethod {
    if case .end = command { return .delete }
    return .put
  }
  var queryItems: [URLQueryItem] {
    guard case .begin(let requests?) = command else { return [] }
    return [URLQueryItem(name: "requests", value: "\(requests)")]
  }
}

/// Requests the route that fails during an outage.
struct RequestDataForFlaky: WebServiceRequestData {
  var path: String { "flaky" }
}
