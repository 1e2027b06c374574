import Foundation
import WebServices

/// Requests one page of items.
struct RequestDataForItems: WebServiceRequestData {
  let range: PageRange

  var path: String { "items" }
  var queryItems: [URLQueryItem] {
    [
      URLQueryItem(name: "offset", value: "\(range.offset)"), URLQueryItem(name: "limit", value: "\(range.limit)"),
    ]
  }
}
