import Foundation
import WebServices

/// The request that the words after `request` on the command line describe.
struct RequestDataForAnything: WebServiceRequestData {
  let method: HTTPMethod
  let path: String
  let headers: HTTPHeaders
  let body: RequestBody?

  init(_ arguments: Arguments) {
    method = arguments.method
    path = arguments.target?.text ?? ""
    headers = arguments.headers
    body = arguments.body?.requestBody
  }
}
