import Foundation
import WebServices

/// Asks for events; not for more than so many.
struct RequestDataForEvents: WebServiceRequestData {
  let count: Int

  var path: String { "events" }
  var queryItems: [URLQueryItem] { [URLQueryItem(name: "count", value: "\(count)")] }
}
