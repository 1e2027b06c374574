import Foundation
import WebServices

/// Asks for one page of the items.
struct RequestDataForItems: WebServiceRequestData {
  let range: PageRange

  var path: String { "items" }
  var queryItems: [URLQueryItem] {
    [
      URLQueryItem(name: "offset", value: "\(range.offset)"), URLQueryItem(name: "limit", value: "\(range.limit)"),
    ]
  }
}
