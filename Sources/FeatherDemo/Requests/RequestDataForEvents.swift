import Foundation
import WebServices

/// Requests a stream of at most `count` events.
struct RequestDataForEvents: WebServiceRequestData {
  let count: Int

  var path: String { "events" }
  var queryItems: [URLQueryItem] { [URLQueryItem(name: "count", value: "\(count)")] }
}
