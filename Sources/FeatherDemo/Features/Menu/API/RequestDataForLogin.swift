import WebServices

/// Logs in with a POST and a form. A password in the URL would appear in the logs of every server and proxy.
struct RequestDataForLogin: WebServiceRequestData {
  let username: String
  let password: String

  var path: String { "menu/login" }
  var method: HTTPMethod { .post }
  var body: RequestBody? { .form(["username": username, "password": password]) }
  var options: RequestOptions { RequestOptions { $0.validators = ResponseValidator.menu } }
}

// Both descriptions omit the password, so that it can't reach a log.
extension RequestDataForLogin: CustomStringConvertible, CustomReflectable {
  var description: String { "RequestDataForLogin" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
