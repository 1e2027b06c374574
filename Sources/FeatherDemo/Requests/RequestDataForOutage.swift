import Foundation
import WebServices

/// Tells the demo's server to fail, or to stop that.
struct RequestDataForOutage: WebServiceRequestData {
  enum Command: Sendable {
    /// Fail so many times; `nil` means until told otherwise.
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

/// Asks for what fails on command.
struct RequestDataForFlaky: WebServiceRequestData {
  var path: String { "flaky" }
}
