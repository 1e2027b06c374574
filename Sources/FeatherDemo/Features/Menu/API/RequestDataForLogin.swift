import WebServices

/// Logs in. It is a POST with a form: a password in a URL would end up in every log on the way.
struct RequestDataForLogin: WebServiceRequestData {
  let username: String
  let password: String

  var path: String { "menu/login" }
  var method: HTTPMethod { .post }
  var body: RequestBody? { .form(["username": username, "password": password]) }
  var options: RequestOptions { RequestOptions { $0.validators = ResponseValidator.menu } }
}

extension RequestDataForLogin: CustomStringConvertible, CustomReflectable {
  var description: String { "RequestDataForLogin" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
